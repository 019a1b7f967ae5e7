/** `query KEY=VALUE…` */
import { asJson, dictionary, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { eachLine, refuseBlock } from '../common/words.ts';

/** Reads the values of keys, one of which has to be there. */
export function readQuery(reader: Dispenser): Json {
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
