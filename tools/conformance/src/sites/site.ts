/** Reads the test sites. Each site is a directory with a typical Caddyfile, the files it serves, requests, and recorded responses. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSteps, type Step } from './step.ts';

export interface Site {
  readonly name: string;
  readonly folder: string;
  readonly steps: readonly Step[];
}

const sites = fileURLToPath(new URL('../../sites/', import.meta.url));

/** File with global options, imported by the Caddyfiles of all test sites. */
export const globalOptions = join(sites, 'global.caddy');

/** Reads all test sites, sorted by name. */
export function readSites(): Site[] {
  const folders = readdirSync(sites, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .map(({ name }) => name)
    .toSorted()
    .map((name) => {
      const folder = join(sites, name);
      return { name, folder, steps: readSteps(readFileSync(join(folder, 'requests.txt'), 'utf8')) };
    });
}
