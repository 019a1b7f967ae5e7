/** Content negotiation: formats that a client accepts (RFC 9110 §12.5.1). */
import type { IncomingMessage } from 'node:http';
import { essenceOf } from './media-type.ts';

/** Returns the formats in an `Accept` header, except JSON. For example, `text/caddyfile` maps to `caddyfile`. Ignores wildcards. */
export function formatsIn(accept: string | undefined): readonly string[] {
  if (accept === undefined || accept === '*/*') return [];
  return accept
    .split(',')
    .map(essenceOf)
    .flatMap((essence) => /^(?:text|application)\/([\w.+-]+)$/.exec(essence)?.[1] ?? [])
    .filter((format) => format !== 'json');
}

/** Returns the content encodings that a client accepts. Excludes encodings with weight 0 (RFC 9110 §12.5.3). */
export function codingsIn({ headers }: IncomingMessage): ReadonlySet<string> {
  const all = (headers['accept-encoding'] ?? '').toString().toLowerCase().split(',');
  const wanted = all
    .map((each) => each.split(';', 2))
    .filter(([, weight = '']) => !/^\s*q=0(?:\.0*)?\s*$/.test(weight));
  return new Set(wanted.map(([coding = '']) => coding.trim()));
}
