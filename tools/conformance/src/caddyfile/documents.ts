/** Creates JSON documents from Caddyfiles: from test pairs, the test sites, and generated files. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Random } from '../differential/random.ts';
import { globalOptions, readSites } from '../sites/site.ts';
import { adapt } from './adapting.ts';
import { makeCaddyfile } from './generator.ts';

/** A document and its origin. */
export interface MadeDocument {
  readonly name: string;
  readonly document: unknown;
}

/** Directory of our own Caddyfile and JSON pairs, which the adapter tests use. */
export const ownPairs = fileURLToPath(
  new URL('../../../../libs/modules/caddy.adapters/test/fixtures/caddyfile/', import.meta.url),
);

/** Returns the JSON files of a directory, or the JSON halves of its `.caddyfiletest` files. Skips pairs that expect an error. */
export function readPairs(folder: string, kind: string): MadeDocument[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) => {
    const document = documentOf(file, readFileSync(join(folder, file), 'utf8'));
    return document === null ? [] : [{ name: `${kind}/${file}`, document }];
  });
}

function documentOf(file: string, text: string): unknown {
  const half = file.endsWith('.json') ? text : /\n-{10}\n([^]*)$/.exec(text)?.[1];
  if (half === undefined || !half.trimStart().startsWith('{')) return null;
  return JSON.parse(half) as unknown;
}

/** Environment variables used by the Caddyfiles of the test sites. Nothing listens at these addresses. */
export const siteEnvironment: Readonly<Record<string, string>> = {
  ONE: '127.0.0.1:1001',
  TWO: '127.0.0.1:1002',
  THREE: '127.0.0.1:1003',
  GONE: '127.0.0.1:1004',
  PHP: '127.0.0.1:1005',
  ADMIN_PORT: '1006',
  HTTP_PORT: '1080',
  HTTPS_PORT: '1443',
  EXTRA_PORT: '1007',
};

/**
 * Uses a running server to adapt the Caddyfiles of all test sites. Copies the files of each site, one after another, into the server's
 * working directory.
 */
export async function adaptSites(admin: number, folder: string): Promise<MadeDocument[]> {
  const made: MadeDocument[] = [];
  for (const site of readSites()) {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
    cpSync(site.folder, folder, { recursive: true });
    cpSync(globalOptions, join(folder, 'global'));
    const adapted = await adapt(admin, readFileSync(join(folder, 'Caddyfile'), 'utf8'));
    if ('document' in adapted) made.push({ name: `site/${site.name}`, document: adapted.document });
  }
  return made;
}

/** Adapts generated Caddyfiles with a server until `count` documents have been created. */
export async function adaptGenerated(admin: number, count: number, seed: number): Promise<MadeDocument[]> {
  const made: MadeDocument[] = [];
  for (let number = 0; made.length < count; number++) {
    const adapted = await adapt(admin, makeCaddyfile(new Random(seed * 100_000 + number)));
    if ('document' in adapted) made.push({ name: `generated/${number}`, document: adapted.document });
  }
  return made;
}
