/** A request under construction, and changes that make it match given matchers. */
import type { JsonObject } from '@sluice/base';
import type { Random } from '../differential/random.ts';
import { addresses, expressions, patterns, values } from './vocabulary.ts';

/** An unfinished request. */
export interface Draft {
  host: string;
  path: string;
  query: string;
  method: string;
  /** Value of the field `X`, or `null` if the field is absent. */
  x: string | null;
  overTls: boolean;
  client: string;
}

type Fit = (random: Random, draft: Draft, options: never) => void;

const fits: Readonly<Record<string, Fit>> = {
  host: (random, draft, options: readonly string[]) => {
    const host = random.pick(options);
    if (!host.startsWith('{')) draft.host = host.replace(/\*/g, () => random.pick(['a', 'x', 'b']));
  },
  path: (random, draft, options: readonly string[]) => {
    if (options.length > 0) draft.path = filled(random, random.pick(options));
  },
  method: (random, draft, options: readonly string[]) => {
    draft.method = random.pick(options);
  },
  protocol: (_, draft, options: string) => {
    draft.overTls = options === 'https';
  },
  header: (random, draft, { X, x }: { X?: readonly string[] | null; x?: readonly string[] }) => {
    const [wanted] = X ?? x ?? [];
    draft.x = X === null ? null : (wanted?.replace('*', () => random.pick(['', '2'])) ?? random.pick(values));
  },
  header_regexp: (_, draft) => {
    draft.x = '12';
  },
  query: (random, draft, { q: [wanted = ''] }: { q: readonly string[] }) => {
    draft.query = `?q=${wanted === '*' || wanted.startsWith('{') ? random.pick(values) : wanted}`;
  },
  path_regexp: (random, draft, { pattern }: { pattern: string }) => {
    const known = patterns[pattern] ?? [];
    if (known.length > 0) draft.path = random.pick(known);
  },
  expression: (_, draft, options: string) => {
    Object.assign(draft, expressions[options]);
  },
  remote_ip: (random, draft, { ranges: [range = ''] }: { ranges: readonly string[] }) => {
    draft.client = range.startsWith('10.') ? '10.1.2.3' : random.pick(addresses);
  },
};

/** Changes a request to match a matcher set, for matchers where this is easy. */
export function fit(random: Random, draft: Draft, set: JsonObject): void {
  for (const [name, options] of Object.entries(set)) fits[name]?.(random, draft, options as never);
}

/** Returns a path that matches the given pattern. */
function filled(random: Random, pattern: string): string {
  const text = pattern
    .replace(/\*/g, () => random.pick(['', 'a', 'b', 'b/a', 'x.php', 'b/']))
    .replace('?', 'b')
    .replace('[ab]', () => random.pick(['a', 'b']));
  return text.startsWith('/') ? text : `/${text}`;
}
