/** `[NAME] …PATTERN` of matchers with regular expressions: without a name that of the matcher holds. */
import type { Dispenser } from '@sluice/caddyfile';
import type { JsonObject } from '@sluice/base';

/** A regular expression as options have it. */
export function regexpOptions(name: string, pattern: string, reader: Dispenser): JsonObject {
  const shown = name === '' ? reader.matcherName : name;
  return shown === '' ? { pattern } : { name: shown, pattern };
}
