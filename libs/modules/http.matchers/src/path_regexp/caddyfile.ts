/** `path_regexp [NAME] PATTERN` */
import type { Json } from '@sluice/base';
import { type Dispenser, syntax } from '@sluice/caddyfile';
import { regexpOptions, regexpWords } from '../common/regexp-words.ts';
import { eachLine, refuseBlock } from '../common/words.ts';

function readPathRegexp(reader: Dispenser): Json {
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

export const pathRegexp = syntax(
  {
    shown: ['[<name>] <regexp>'],
    help: 'Matches the request path with a regular expression. Its capture groups are `{re.name.1}` or `{re.1}`.',
    example: '@article path_regexp ^/articles/([0-9]+)$\nrewrite @article /article.html?id={re.1}\nfile_server',
  },
  {
    read: readPathRegexp,
    write: (options) => {
      const written = regexpWords(options);
      return written === null ? null : [written];
    },
  },
);
