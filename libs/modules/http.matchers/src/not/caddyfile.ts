/**
 * `not MATCHER …`, `not { MATCHER …; … }`: each line is a set, none of which may match. Regular expressions in it are not named
 * after the matcher: groups of an expression that must not match are of no use.
 */
import { isArray, isObject, type Json } from '@sluice/base';
import { asJson, type Dispenser, readMatchers, syntax, type Written } from '@sluice/caddyfile';
import { eachLine } from '../common/words.ts';

function readNot(reader: Dispenser): Json {
  const sets: Json[] = [];
  eachLine(reader, () => void sets.push(asJson(readMatchers(reader, ''))));
  return sets;
}

export const not = syntax(
  {
    shown: ['<matcher> …'],
    content: 'matchers',
    help: 'Matches if none of its matchers match.',
    example: '@outside not path /public/*\nrespond @outside 403',
  },
  {
    read: readNot,
    write: async (options, writer) => {
      const lines: Written[] = [];
      for (const set of isArray(options) ? options : []) {
        const block = isObject(set) ? await writer.matchers(set) : null;
        if (block === null) return null;
        const [only] = block;
        lines.push(only !== undefined && block.length === 1 && only.block === undefined ? only : { block });
      }
      return lines;
    },
  },
);
