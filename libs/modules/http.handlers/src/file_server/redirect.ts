/** Redirects to the canonical URL of a file or directory. URLs of directories end with a slash, and URLs of files don't. */
import type { Exchange } from '@sluice/http-app';
import { escapeHtml, cleanRequestPath, encodeBytes, unescapePath } from '@sluice/base';
import { lastName } from './path.ts';

/**
 * Characters to escape in redirect paths: control characters, characters that end the path of a URL, and characters that browsers
 * interpret.
 */
const special = /[%?#\\\0-\x1f\x7f]/g;
const notAscii = /[^\0-\x7f]+/g;

/**
 * Returns the canonical URL of a directory (`slash` is true) or file. Returns `null` if the URL is already canonical, or if a rewrite
 * changed the last path segment.
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

/** Sends a permanent redirect. `target` may contain non-ASCII characters. */
export function redirect(exchange: Exchange, target: string): void {
  const { response, method } = exchange;
  const hasType = method === 'GET' || method === 'HEAD';
  // A rewrite may have changed GET to HEAD, so the original method determines whether to send a body.
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
