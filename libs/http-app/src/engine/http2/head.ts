/** Requests of HTTP/2 (RFC 9113 §8.3) in the form that exchanges have. */
import { fromLatin1 } from '@sluice/registry';
import type { RequestHead } from '../../exchange/exchange.ts';
import { HeaderMap } from '../../exchange/headers.ts';
import { isHost, parseOriginForm, type Target } from '../http1/target.ts';

/** A head, or the status that it is refused with. */
export type HeadOrStatus = RequestHead | number;

const root: Target = { host: '', rawPath: '/', query: null };

/** Reads a head from names and values in turn, as they came. Only names in `kept` may have `_` or `.`. */
export function readHead(raw: readonly string[], kept: ReadonlySet<string>): HeadOrStatus {
  const headers = new HeaderMap();
  let method = '';
  let path = '';
  let authority: string | null = null;
  let host = '';
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] as string;
    const value = raw[i + 1] as string;
    if (name.startsWith(':')) {
      if (name === ':method') method = value;
      else if (name === ':path') path = value;
      else if (name === ':authority') authority = value;
    } else if (name === 'host') host = value;
    else addField(headers, name, fromLatin1(value), kept);
  }
  const target = method === 'CONNECT' ? root : parseOriginForm(fromLatin1(path));
  const named = authority ?? host;
  if (target === null || method === '' || !isHost(named)) return 400;
  return { method, rawPath: target.rawPath, query: target.query, proto: 'HTTP/2.0', host: named, headers };
}

function addField(headers: HeaderMap, name: string, value: string, kept: ReadonlySet<string>): void {
  if ((name.includes('_') || name.includes('.')) && !kept.has(name)) return;
  // Clients may split cookies to compress them better (RFC 9113 §8.2.3).
  const before = name === 'cookie' ? headers.get(name) : undefined;
  if (before === undefined) headers.append(name, value);
  else headers.set(name, `${before}; ${value}`);
}
