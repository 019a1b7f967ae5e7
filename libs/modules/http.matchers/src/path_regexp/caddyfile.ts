/** `path_regexp [NAME] PATTERN` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { regexpOptions } from '../common/regexp-words.ts';
import { eachLine, refuseBlock } from '../common/words.ts';

/** Reads the one regular expression. */
export function readPathRegexp(reader: Dispenser): Json {
  let options: Json | null = null;
  eachLine(reader, () => {
    if (options !== null) throw reader.error('regular expression can only be used once per named matcher');
    const words = reader.remaining();
    const [first = '', second] = words;
    if (words.length < 1 || words.length > 2) throw reader.argumentError();
    options = second === undefined ? regexpOptions('', first, reader) : regexpOptions(first, second, reader);
    refuseBlock(reader, 'path_regexp');
  });
  return options;
}
