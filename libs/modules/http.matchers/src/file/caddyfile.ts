/** `file [FILE…] { root PATH; try_files FILE…; try_policy NAME; split_path SUFFIX… }` */
import { isObject, type Json } from '@sluice/base';
import { compact, type Dispenser, list, optionLines, syntax, text, words } from '@sluice/caddyfile';
import { eachLine } from '../common/words.ts';

function readFile(reader: Dispenser): Json {
  const files: string[] = [];
  let splitPath: string[] = [];
  const fields: Record<string, Json> = {};
  eachLine(reader, () => {
    files.push(...reader.remaining());
    for (const option of reader.block()) {
      if (option === 'root' || option === 'try_policy') fields[option] = reader.argument();
      else if (option === 'try_files') files.push(...reader.arguments());
      else if (option === 'split_path') splitPath = reader.arguments();
      else throw reader.error(`unrecognized subdirective: ${option}`);
    }
  });
  return compact({ ...fields, try_files: files, split_path: splitPath });
}

export const file = syntax(
  {
    shown: ['[<file>…]'],
    block: {
      root: text('<path>'),
      try_files: list('<file>…'),
      try_policy: text('<name>'),
      split_path: list('<suffix>…'),
    },
    help: 'Matches if one of these files exists. Default: the request path. `{file_match.relative}` is the file found.',
    example: '@there file {path} {path}/index.html\nrewrite @there {file_match.relative}\nfile_server',
  },
  {
    read: readFile,
    write: (options) => {
      if (!isObject(options)) return null;
      const block = optionLines(options, [
        ['root', 'root'],
        ['try_files', 'try_files'],
        ['try_policy', 'try_policy'],
        ['split_path', 'split_path'],
      ]);
      return block.length === 1 && options['try_files'] !== undefined
        ? [{ words: words(options['try_files']) }]
        : [{ block }];
    },
  },
);
