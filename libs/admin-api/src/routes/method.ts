/** Methods that a path does not have. */
import type { IncomingMessage } from 'node:http';
import { methodOf, targetOf } from '../call.ts';
import { requestError } from '../errors.ts';

/** Paths whose refusals have the words of the reference. */
const plainWords = new Set(['/load', '/adapt', '/stop']);

/** Refuses a request with status 405; without `Allow`, as the reference does. */
export function refuseMethod(request: IncomingMessage): never {
  const what = plainWords.has(targetOf(request).path) ? 'method' : `method ${methodOf(request)}`;
  throw requestError(`${what} not allowed`, 405);
}
