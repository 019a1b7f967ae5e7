/**
 * Parses `not MATCHER …` and `not { MATCHER …; … }`. Each line is a matcher set, and no set may match. Captures are not named after the
 * matcher, because captures of a failed match are useless.
 */
import { asJson, objectsIn, readMatchers, type Line } from '@sluice/caddyfile';
import { matcher } from '../common/matcher.ts';

export const not = matcher('not', {
  bare: true,
  lax: true,
  line: {
    shown: '<matcher> …',
    read: (reader, draft) => draft.push([''], [asJson(readMatchers(reader, ''))]),
    async write(option, { '': sets }, writer) {
      const lines: Line[] = [];
      for (const set of objectsIn(sets)) {
        const block = await writer.matchers(set);
        if (block === null) return null;
        const [only] = block;
        const isLine = only !== undefined && block.length === 1 && only.block === undefined;
        lines.push(isLine ? { ...only, words: [option, ...only.words] } : { words: [option], block });
      }
      return lines;
    },
  },
  content: 'matchers',
  help: 'Matches requests that match none of the matchers in the block.',
  example: '@outside not path /public/*\nrespond @outside 403',
});
