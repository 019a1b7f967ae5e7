/** Methods that a path does not have. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { methodOf, targetOf } from '../call.ts';
import { requestError } from '../errors.ts';

/** Paths whose refusals have the words of the reference. */
const plainWords = new Set(['/load', '/adapt', '/stop']);

/** Refuses a request with status 405. RFC 9110, section 15.5.6: the response lists the methods of the path. */
export function refuseMethod(request: IncomingMessage, response: ServerResponse, methods: Iterable<string>): never {
  response.setHeader('Allow', [...methods].toSorted().join(', '));
  const what = plainWords.has(targetOf(request).path) ? 'method' : `method ${methodOf(request)}`;
  throw requestError(`${what} not allowed`, 405);
}
