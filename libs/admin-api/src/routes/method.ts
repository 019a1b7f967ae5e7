/** Unsupported methods of a path. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { methodOf, targetOf } from '../call.ts';
import { requestError } from '../errors.ts';

/** Paths whose 405 responses use Caddy's wording. */
const plainWords = new Set(['/load', '/adapt', '/stop']);

/** Rejects a request with status 405. The response lists the methods that the path supports (RFC 9110, section 15.5.6). */
export function refuseMethod(request: IncomingMessage, response: ServerResponse, methods: Iterable<string>): never {
  response.setHeader('Allow', [...methods].toSorted().join(', '));
  const what = plainWords.has(targetOf(request).path) ? 'method' : `method ${methodOf(request)}`;
  throw requestError(`${what} not allowed`, 405);
}
