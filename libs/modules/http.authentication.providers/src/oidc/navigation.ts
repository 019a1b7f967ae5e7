/** Detects page requests. Redirecting a browser to a sign-in page works only if the browser requested a page. */
import type { Exchange } from '@sluice/http-app';

/**
 * Reports whether a request loads a page. Other requests, such as `fetch`, WebSockets and API calls, can't show a sign-in page. They
 * receive status 401.
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

/** Returns the path and query to redirect to after a sign-in. Returns `/` if the URI is unsuitable. */
export function returnUri(uri: string): string {
  return uri.length <= maxUri && /^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(uri) ? uri : '/';
}

/** Ends the request with a redirect that caches do not store. */
export function redirect(exchange: Exchange, location: string): void {
  const { response } = exchange;
  response.headers.set('location', location);
  response.headers.set('cache-control', 'no-store');
  response.writeHead(exchange.method === 'POST' ? 303 : 302);
  response.end();
}
