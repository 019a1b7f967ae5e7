/**
 * Distinguishes a deliberately empty configuration from an accidentally empty one. A configuration may be empty by accident because of a
 * partial write, a failed shell redirection, or `curl -d @name` with a missing file. An accidentally empty configuration must not take the
 * server down.
 */
import { SluiceError } from '../errors.ts';
import { isObject, type Json } from './json.ts';

/** Matches text that explicitly specifies an empty configuration. */
const nothing = /^\s*(?:null|\{\s*\})\s*$/;

/**
 * Throws an error with status 400 if the document is empty but the text is not an explicit empty document.
 *
 * For example, the text may be empty, contain only comments, or end after a key, like a truncated YAML file. `what` is the subject of the
 * error message, such as `the request body`.
 *
 * Call this function for every complete configuration from an external source.
 */
export function checkIntended(text: Buffer | string, document: Json, what: string): void {
  if (!isNothing(document) || nothing.test(text.toString())) return;
  throw new SluiceError(
    'ERR_CONFIG_EMPTY',
    `${what} is empty, possibly because it was truncated, and was not applied; to unload the configuration, write null or {}`,
    { status: 400 },
  );
}

/**
 * Reports whether a document is empty. A document with `apps: null` counts as empty: adapters create it from a key without a value, and it
 * would unload all apps.
 */
function isNothing(document: Json): boolean {
  if (document === null) return true;
  if (!isObject(document)) return false;
  const keys = Object.keys(document);
  return keys.length === 0 || (Object.hasOwn(document, 'apps') && document.apps === null);
}
