/** JSON request bodies. */
import { checkIntended, maxDepth, messageOf, parseJsonText, type Json, type ParsedJson } from '@sluice/base';
import { bodyError, requestError } from '../errors.ts';

/** Parses a JSON request body. An empty body is `null`, as in Caddy. */
export function parseJsonBody(body: Buffer): ParsedJson {
  if (body.length === 0) return { value: null, depth: 0 };
  try {
    return parseJsonText(body.toString('utf8'));
  } catch (error) {
    throw bodyError(messageOf(error), error);
  }
}

/** Creates the error for a document that exceeds the maximum nesting depth. */
export function tooDeep(depth: number): Error {
  return bodyError(`nested ${depth} levels deep; the maximum is ${maxDepth}`);
}

/**
 * Rejects an empty body that would unload the active configuration. `curl -d @missing-file`, for example, sends such a body. `stage` is the
 * prefix of the error message.
 */
export function checkIntendedBody(body: Buffer, document: Json, stage = ''): void {
  try {
    checkIntended(body, document, 'the request body');
  } catch (error) {
    throw requestError(stage + messageOf(error));
  }
}
