/**
 * Distinguishes an intentionally empty configuration from a lost one, for example after a partial write, a failed shell redirection, or
 * `curl -d @name` with a missing file. Accidentally empty configurations must not take the server down.
 */
import { SluiceError } from '../errors.ts';
import { isObject, type Json } from './json.ts';

/** Matches input that explicitly means "no configuration". */
const nothing = /^\s*(?:null|\{\s*\})\s*$/;

/**
 * Throws an error with status 400 if the document is empty although the text is not an explicit empty document.
 *
 * For example, the text may be empty, contain only comments, or end after a key, like a truncated YAML file. `what` is the subject of the
 * message, such as `the request body`.
 *
 * Call this function wherever a complete configuration is read from outside.
 */
export function checkIntended(text: Buffer | string, document: Json, what: string): void {
  if (!isNothing(document) || nothing.test(text.toString())) return;
  throw new SluiceError(
    'ERR_CONFIG_EMPTY',
    `${what} is empty, possibly because it was truncated, and was not applied; to unload the configuration, write null or {}`,
    { status: 400 },
  );
}

/** Treats `apps: null` as empty, because adapters create it from a key without a value, and it would unload all apps. */
function isNothing(document: Json): boolean {
  if (document === null) return true;
  if (!isObject(document)) return false;
  const keys = Object.keys(document);
  return keys.length === 0 || (Object.hasOwn(document, 'apps') && document.apps === null);
}
