/** Methods that a path does not have. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { methodOf, targetOf } from '../call.ts';
import { requestError } from '../errors.ts';

/** Paths whose refusals have the words of the reference. */
const plainWords = new Set(['/load', '/adapt', '/stop']);

/** Refuses a request with status 405, and says what the path has where that is known (RFC 9110 §15.5.6). */
export function refuseMethod(
  request: IncomingMessage,
  response: ServerResponse,
  allowed: ReadonlySet<string> | null,
): never {
  if (allowed !== null) response.setHeader('Allow', [...allowed].join(', '));
  const what = plainWords.has(targetOf(request).path) ? 'method' : `method ${methodOf(request)}`;
  throw requestError(`${what} not allowed`, 405);
}
