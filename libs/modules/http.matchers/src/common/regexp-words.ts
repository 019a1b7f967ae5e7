/** `[NAME] …PATTERN` of matchers with regular expressions: without a name that of the matcher holds. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { dictionary, syntax, words, type Dispenser, type Grammar, type Syntax, type Written } from '@sluice/caddyfile';
import { eachLine, refuseBlock } from './words.ts';

/** A regular expression as options have it. */
export function regexpOptions(name: string, pattern: string, reader: Dispenser): JsonObject {
  const shown = name === '' ? reader.matcherName : name;
  return shown === '' ? { pattern } : { name: shown, pattern };
}

/** The words of a regular expression: its name, the key it is for, and the pattern. */
export function regexpWords(options: Json, key: readonly string[] = []): Written | null {
  if (!isObject(options)) return null;
  return { words: [...words(options['name']), ...key, ...words(options['pattern'])] };
}

/** Declares a matcher with a regular expression for each key: `NAME [LABEL] KEY PATTERN`. `once`: the error for a key again. */
export function keyedRegexps(name: string, grammar: Grammar, once?: (key: string) => string): Syntax {
  return syntax(grammar, {
    read(reader) {
      const options = dictionary<JsonObject>();
      eachLine(reader, () => {
        const found = reader.remaining();
        if (found.length < 2 || found.length > 3) throw reader.argumentError();
        const [label, key = '', pattern = ''] = found.length === 3 ? found : ['', ...found];
        if (once !== undefined && Object.hasOwn(options, key)) throw reader.error(once(key));
        options[key] = regexpOptions(label ?? '', pattern, reader);
        refuseBlock(reader, name);
      });
      return options;
    },
    write: (options) =>
      isObject(options) ? Object.entries(options).flatMap(([key, each]) => regexpWords(each, [key]) ?? []) : null,
  });
}
