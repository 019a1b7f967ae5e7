/** `query KEY=VALUE…` */
import type { Json } from '@sluice/base';
import { asJson, dictionary, type Dispenser, keyedLines, syntax } from '@sluice/caddyfile';
import { eachLine, refuseBlock } from '../common/words.ts';

function readQuery(reader: Dispenser): Json {
  const values = dictionary<string[]>();
  eachLine(reader, () => {
    for (const word of reader.remaining()) {
      if (word === '') continue;
      const mark = word.indexOf('=');
      if (mark < 0) throw reader.error(`malformed query matcher token: ${word}; must be in param=val format`);
      (values[word.slice(0, mark)] ??= []).push(word.slice(mark + 1));
    }
    refuseBlock(reader, 'query');
  });
  return asJson(values);
}

export const query = syntax(
  {
    shown: ['<key>=<value>…'],
    help: 'Matches if the query has a key with a value; `*` matches any value.',
    example: '@search query q=*\nrespond @search "{query.q}"',
  },
  { read: readQuery, write: (options) => [{ words: keyedLines(options).map((line) => line.words.join('=')) }] },
);
