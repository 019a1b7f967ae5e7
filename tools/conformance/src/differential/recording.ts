/** Caddy's observations of the first pairs, for machines without Caddy. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Observation } from './observation.ts';

/** Number of saved pairs. */
export const recordedPairs = 150;

const file = new URL('../../recorded/differential.json', import.meta.url);

/** Saved observations. */
export interface Recording {
  readonly seed: number;
  readonly observations: readonly Observation[];
}

/** Saves Caddy's observations. */
export function writeRecording(seed: number, observations: readonly Observation[]): void {
  const lines = observations.map((each) => JSON.stringify(each));
  writeFileSync(file, `{"seed":${seed},"observations":[\n${lines.join(',\n')}\n]}\n`);
}

/** Reads the saved observations. */
export function readRecording(): Recording {
  return JSON.parse(readFileSync(file, 'utf8')) as Recording;
}
