/** What the reference did of the first pairs, kept for where it is missing. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Observation } from './observation.ts';

/** How many pairs are kept. */
export const recordedPairs = 150;

const file = new URL('../../recorded/differential.json', import.meta.url);

/** A recording. */
export interface Recording {
  readonly seed: number;
  readonly observations: readonly Observation[];
}

/** Keeps what the reference did. */
export function writeRecording(seed: number, observations: readonly Observation[]): void {
  const lines = observations.map((each) => JSON.stringify(each));
  writeFileSync(file, `{"seed":${seed},"observations":[\n${lines.join(',\n')}\n]}\n`);
}

/** The recording. */
export function readRecording(): Recording {
  return JSON.parse(readFileSync(file, 'utf8')) as Recording;
}
