/**
 * Tells a configuration that means "nothing" from one that lost its content: a file that is being written, a redirection
 * that came to nothing, `curl -d @name` of a file that is not there. What serves must not go away by such an accident.
 */
import { SluiceError } from '../errors.ts';
import { isObject, type Json } from './json.ts';

/** What a text must be, apart from white space, to mean "no configuration". */
const nothing = /^\s*(?:null|\{\s*\})\s*$/;

/**
 * Throws, with status 400, where a document would unload what is served although its text does not say so: the text is
 * empty, has comments only, or ends after a key that was to get a value, as a truncated file of YAML does. `what` begins
 * the message: `the request body`. Called wherever a whole configuration is read from outside.
 */
export function checkIntended(text: Buffer | string, document: Json, what: string): void {
  if (!isNothing(document) || nothing.test(text.toString())) return;
  throw new SluiceError(
    'ERR_CONFIG_EMPTY',
    `${what} is empty, possibly truncated, and was not applied; to unload the configuration, write null or {}`,
    { status: 400 },
  );
}

/** `apps: null` is a key without a value: adapters make it of one, and it would drop all apps. */
function isNothing(document: Json): boolean {
  if (document === null) return true;
  if (!isObject(document)) return false;
  const keys = Object.keys(document);
  return keys.length === 0 || (Object.hasOwn(document, 'apps') && document.apps === null);
}
