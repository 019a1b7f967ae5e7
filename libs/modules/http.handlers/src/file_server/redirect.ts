/** Redirects to the one address of a file or folder: folders end with a slash, files do not. */
import type { Exchange } from '@sluice/http-app';
import { cleanRequestPath, encodeBytes, unescapePath } from '@sluice/base';
import { escapeHtml } from './html.ts';
import { lastName } from './path.ts';

/** What would end a path in a URL, or what browsers take for something else there; and controls. */
const special = /[%?#\\\0-\x1f\x7f]/g;
const notAscii = /[^\0-\x7f]+/g;

/**
 * Where a request for a folder (`slash` true) or file should have gone; `null` if it came right, or if a rewrite changed
 * the last part of its path: then the client's address has nothing to do with this.
 */
export function canonicalTarget(exchange: Exchange, slash: boolean): string | null {
  const rewritten = exchange.rawPath !== exchange.originalRawPath;
  const requested = rewritten ? unescapePath(exchange.originalRawPath) : exchange.path;
  if (requested.endsWith('/') === slash) return null;
  if (rewritten && lastName(requested) !== lastName(exchange.path)) return null;
  const target = cleanRequestPath(slash ? `${requested}/` : requested.slice(0, -1));
  const query = exchange.originalQuery;
  const path = target.replace(special, percentEncode);
  return query === null || query === '' ? path : `${path}?${query}`;
}

/** Responds with a permanent redirect. The target may have characters beyond ASCII. */
export function redirect(exchange: Exchange, target: string): void {
  const { response, method } = exchange;
  const hasType = method === 'GET' || method === 'HEAD';
  // A rewrite may have made HEAD of what the client sent as GET: it is HEAD that is responded to.
  const withBody = method === 'GET' || (method === 'HEAD' && exchange.originalMethod === 'HEAD');
  response.headers.set('location', target.replace(notAscii, percentEncode));
  if (hasType) response.headers.set('content-type', 'text/html; charset=utf-8');
  response.writeHead(308);
  if (withBody) response.end(`<a href="${escapeHtml(target)}">Permanent Redirect</a>.\n\n`);
  else response.end();
}

function percentEncode(text: string): string {
  let encoded = '';
  for (const byte of encodeBytes(text)) encoded += `%${byte.toString(16).padStart(2, '0')}`;
  return encoded;
}
