/** Caddy's observations, saved in `paths/` of this package. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Environments } from './environments.ts';
import { targets } from './forms.ts';
import type { Matrix } from './play.ts';

/** Responses by route, each with the indexes of its targets. */
interface Recorded {
  readonly targets: readonly string[];
  readonly routes: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
}

const folder = fileURLToPath(new URL('../../paths/', import.meta.url));
const matrixFile = `${folder}matrix.json`;
const environmentsFile = `${folder}environments.json`;

/** Saves Caddy's observations, one route per line. */
export function record(matrix: Matrix, environments: Environments): void {
  const routes = Object.entries(matrix).map(([route, responses]) => {
    const places: Record<string, number[]> = {};
    for (const [place, target] of targets.entries()) (places[responses[target] ?? ''] ??= []).push(place);
    return `${JSON.stringify(route)}: ${JSON.stringify(places)}`;
  });
  writeFileSync(matrixFile, `{"targets": ${JSON.stringify(targets)},\n"routes": {\n${routes.join(',\n')}\n}}\n`);
  writeFileSync(environmentsFile, `${JSON.stringify(environments, null, 2)}\n`);
}

/** Reads the matrix. */
export function readMatrix(): Matrix {
  const { targets: recorded, routes } = JSON.parse(readFileSync(matrixFile, 'utf8')) as Recorded;
  const matrix: Matrix = {};
  for (const [route, responses] of Object.entries(routes)) {
    const row: Record<string, string> = (matrix[route] = {});
    for (const [response, places] of Object.entries(responses))
      for (const place of places) row[recorded[place] ?? ''] = response;
  }
  return matrix;
}

/** Reads the environments. */
export function readEnvironments(): Environments {
  return JSON.parse(readFileSync(environmentsFile, 'utf8')) as Environments;
}
