/** Translates `gzip` and `brotli`, which compress responses. */
import type { Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { isOn } from '../syntax/directive.ts';

export function compressionHandlers(_site: Site, scope: Scope): Node[] {
  const on = ['brotli', 'gzip'].filter((name) => isOn(scope.find(name)));
  if (on.length === 0) return [];
  const level = Number(scope.value('gzip_comp_level') ?? 1);
  const encodings = Object.fromEntries(on.map((name) => (name === 'gzip' ? ['gzip', { level }] : ['br', {}])));
  return [
    {
      handler: 'encode',
      encodings,
      prefer: Object.keys(encodings),
      minimum_length: Number(scope.value(`${on[0]}_min_length`) ?? 20),
      match: matchOf(on.flatMap((name) => scope.find(`${name}_types`)?.args ?? [])),
    },
  ];
}

/** Returns a response matcher for content types, with optional parameters. HTML is always included. */
function matchOf(types: readonly string[]): Node {
  if (types.includes('*')) return {};
  const all = new Set(['text/html', ...types]);
  return { headers: { 'Content-Type': [...all].map((type) => `${type}*`) } };
}
