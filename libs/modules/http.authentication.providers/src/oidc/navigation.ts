/** Detects requests for pages, for which a browser can follow a redirect to a sign-in page. */
import type { Exchange } from '@sluice/http-app';

/**
 * Reports whether a request loads a page. Other requests, such as `fetch`, WebSockets and API calls, get 401, because
 * they can't show a sign-in page.
 */
export function isNavigation(exchange: Exchange): boolean {
  const { method, headers } = exchange;
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (headers.has('upgrade') || headers.has('x-requested-with')) return false;
  const mode = headers.get('sec-fetch-mode');
  if (mode !== undefined && mode !== 'navigate') return false;
  return /\btext\/html\b|\bapplication\/xhtml\+xml\b/i.test(headers.joined('accept') ?? '');
}

const maxUri = 1024;

/** Returns the path and query to return to after a sign-in; `/` if the URI is unsuitable. */
export function returnUri(uri: string): string {
  return uri.length <= maxUri && /^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(uri) ? uri : '/';
}

/** Ends an exchange with a redirect that caches do not store. */
export function redirect(exchange: Exchange, location: string): void {
  const { response } = exchange;
  response.headers.set('location', location);
  response.headers.set('cache-control', 'no-store');
  response.writeHead(exchange.method === 'POST' ? 303 : 302);
  response.end();
}
