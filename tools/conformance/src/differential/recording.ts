/** Recorded observations of Caddy for the first pairs, used on machines where Caddy is not installed. */
import { readRecording, writeRecording } from '../recordings.ts';
import type { Observation } from './observation.ts';

/** Number of recorded pairs. */
export const recordedPairs = 150;

export interface Recording {
  readonly seed: number;
  readonly observations: readonly Observation[];
}

export function recordPairs(seed: number, observations: readonly Observation[]): void {
  writeRecording('differential', { seed, observations });
}

export function readPairs(): Recording {
  return readRecording('differential') as Recording;
}
