/** Sites: a folder each, with a Caddyfile as users write them, the files that it serves, requests, and recorded responses. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSteps, type Step } from './step.ts';

/** A site. */
export interface Site {
  readonly name: string;
  readonly folder: string;
  readonly steps: readonly Step[];
}

const sites = fileURLToPath(new URL('../../sites/', import.meta.url));

/** All files are of one time, so that both servers say the same of their age. */
const changed = 1_700_000_000;

/** Reads all sites, in the order of their names. */
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

/** Copies what a site consists of to a new folder, beside the global options that all sites import. */
export function copySite({ folder }: Site): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-site-')));
  cpSync(folder, copy, { recursive: true });
  cpSync(join(sites, 'global.caddy'), join(copy, 'global'));
  for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(copy, name), changed, changed);
  return copy;
}
