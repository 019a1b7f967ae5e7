/** `url_pattern PATTERN { base_url URL; ignore_case }` */
import { isObject, type Json } from '@sluice/base';
import { compact, type Dispenser, flag, noWords, optionLines, syntax, text, words, written } from '@sluice/caddyfile';
import { eachLine } from '../common/words.ts';

function readUrlPattern(reader: Dispenser): Json {
  const fields: Record<string, Json> = {};
  eachLine(reader, () => {
    const words = reader.remaining();
    if (words.length !== 1) throw reader.error('expected exactly one URL pattern');
    fields['pattern'] = words[0] ?? '';
    for (const option of reader.block()) {
      if (option === 'base_url') {
        fields['base_url'] = reader.onlyArgument();
      } else if (option === 'ignore_case') {
        reader.noArguments();
        fields['ignore_case'] = true;
      } else {
        throw reader.error(`unrecognized subdirective: ${option}`);
      }
    }
  });
  return compact(fields);
}

export const urlPattern = syntax(
  {
    shown: ['<pattern>'],
    block: { base_url: text('<url>'), ignore_case: flag() },
    help: 'Matches the path with a pattern such as `/books/:id`.',
    example: '@book url_pattern /books/:id\nrespond @book hi',
  },
  {
    read: readUrlPattern,
    write: (options) => {
      if (!isObject(options)) return null;
      const block = optionLines(options, [
        ['base_url', 'base_url'],
        ['ignore_case', 'ignore_case', noWords],
      ]);
      return [written(words(options['pattern']), block)];
    },
  },
);
