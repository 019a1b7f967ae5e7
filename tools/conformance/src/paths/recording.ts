import { readRecording, writeRecording } from '../recordings.ts';
import type { Environments } from './environments.ts';
import { targets } from './forms.ts';
import type { Matrix } from './play.ts';

/** Recorded responses by route. Each response lists the indexes of the targets that produced it. */
interface Recorded {
  readonly targets: readonly string[];
  readonly routes: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
}

/** Saves Caddy's observations. */
export function record(matrix: Matrix, environments: Environments): void {
  const routes: Record<string, Record<string, number[]>> = {};
  for (const [route, responses] of Object.entries(matrix)) {
    const places: Record<string, number[]> = (routes[route] = {});
    for (const [place, target] of targets.entries()) (places[responses[target] ?? ''] ??= []).push(place);
  }
  writeRecording('paths-matrix', { targets, routes });
  writeRecording('paths-environments', environments);
}

export function readMatrix(): Matrix {
  const { targets: recorded, routes } = readRecording('paths-matrix') as Recorded;
  const matrix: Matrix = {};
  for (const [route, responses] of Object.entries(routes)) {
    const row: Record<string, string> = (matrix[route] = {});
    for (const [response, places] of Object.entries(responses))
      for (const place of places) row[recorded[place] ?? ''] = response;
  }
  return matrix;
}

export function readEnvironments(): Environments {
  return readRecording('paths-environments') as Environments;
}
