/** Rejects methods that a path doesn't support. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { methodOf, targetOf } from '../call.ts';
import { requestError } from '../errors.ts';

/** Paths whose 405 responses have the same wording as Caddy's. */
const plainWords = new Set(['/load', '/adapt', '/stop']);

/** Rejects a request with status 405. The `Allow` header lists the methods that the path supports (RFC 9110 §15.5.6). */
export function refuseMethod(request: IncomingMessage, response: ServerResponse, methods: Iterable<string>): never {
  response.setHeader('Allow', [...methods].toSorted().join(', '));
  const what = plainWords.has(targetOf(request).path) ? 'method' : `method ${methodOf(request)}`;
  throw requestError(`${what} not allowed`, 405);
}
