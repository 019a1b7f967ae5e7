/** Caddyfile syntax: `file [FILE…] { root PATH; try_files FILE…; try_policy NAME; split_path SUFFIX… }` */
import { alias, compact, list, text } from '@sluice/caddyfile';
import { matcher } from '../common/matcher.ts';

export const file = matcher('file', {
  line: list('[<file>…]', { field: 'try_files', adds: true, empty: true }),
  block: {
    root: text('<path>', { takes: 'more' }),
    try_files: alias(list('<file>…', { adds: true })),
    try_policy: text('<name>', { takes: 'more' }),
    split_path: list('<suffix>…'),
  },
  unknown: 'unrecognized subdirective: %',
  finish: ({ try_files: files, split_path: split, ...others }) =>
    compact({ ...others, try_files: files, split_path: split }),
  help: 'Matches requests for which one of the given files exists. Default: the request path. The path of the matched file is available as `{file_match.relative}`.',
  example: '@there file {path} {path}/index.html\nrewrite @there {file_match.relative}\nfile_server',
});
