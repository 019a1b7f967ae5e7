/**
 * Response to an error that no route handles. Clients whose `Accept` field includes HTML, that is, browsers, get a small page. Other
 * clients get an empty body, as in Caddy.
 */
import { statusText } from '@sluice/http1';
import { statusOf } from '../errors.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { ResponseWriter } from '../exchange/response.ts';

const style =
  ':root{color-scheme:light dark}body{display:grid;min-height:90vh;margin:0;place-content:center;text-align:center;font:16px/1.6 system-ui,sans-serif}h1{margin:0;font-size:1.5rem}b{display:block;font-size:4.5rem;line-height:1.1;opacity:.35}p{margin:.3rem;opacity:.7}';

/** Responds to an exchange's error if the response has not started. `pages` enables HTML pages. */
export function respondToError(exchange: Exchange, response: ResponseWriter, pages: boolean): void {
  const status = statusOf(exchange.error);
  const body = pages && status >= 400 ? bodyFor(exchange, response, status) : null;
  response.writeHead(status);
  if (body !== null) response.end(body);
}

/** Sets response fields and returns the body. Returns `null` for an empty body. */
function bodyFor(exchange: Exchange, { headers }: ResponseWriter, status: number): string | null {
  // Remove fields that a handler set for a different response body.
  if (exchange.method === 'HEAD' || headers.has('content-encoding') || headers.has('content-length')) return null;
  const accept = exchange.headers.joined('accept') ?? '';
  if (!acceptsHtml(accept)) return null;
  const body = page(status, statusText(status) || 'Error', exchange.errorId);
  headers.set('content-type', 'text/html; charset=utf-8');
  headers.set('content-length', String(Buffer.byteLength(body)));
  headers.append('vary', 'Accept');
  return body;
}

/** Reports whether the client accepts HTML and doesn't reject it with `q=0`. */
function acceptsHtml(accept: string): boolean {
  return accept.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';');
    return name.trim().toLowerCase() === 'text/html' && !parameters.some((each) => /^\s*q=0(?:\.0*)?\s*$/i.test(each));
  });
}

/** Returns an HTML page without request data. The error log contains the same error ID. */
function page(status: number, name: string, id: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${status} ${name}</title><style>${style}</style></head>
<body><main><h1><b>${status}</b>${name}</h1><p>Error ${id}</p></main></body>
</html>
`;
}
