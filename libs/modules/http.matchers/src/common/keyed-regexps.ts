/** `[NAME] KEY PATTERN` lines of `header_regexp` and `vars_regexp`. */
import { dictionary, type Dispenser } from '@sluice/caddyfile';
import type { JsonObject } from '@sluice/base';
import { regexpOptions } from './regexp-words.ts';
import { eachLine, refuseBlock } from './words.ts';

/** Reads a regular expression for each key. `check` refuses what can't be. */
export function keyedRegexps(
  reader: Dispenser,
  name: string,
  keyOf: (key: string) => string,
  check: (key: string, known: boolean) => void,
): JsonObject {
  const options = dictionary<JsonObject>();
  eachLine(reader, () => {
    const words = reader.remaining();
    if (words.length < 2 || words.length > 3) throw reader.argumentError();
    const [label, key = '', pattern = ''] = words.length === 3 ? words : ['', ...words];
    check(key, Object.hasOwn(options, keyOf(key)));
    options[keyOf(key)] = regexpOptions(label ?? '', pattern, reader);
    refuseBlock(reader, name);
  });
  return options;
}
