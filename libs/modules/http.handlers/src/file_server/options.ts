/** Options of `http.handlers.file_server`. */
import { httpPrecompressed } from '@sluice/http-app';
import {
  boolean,
  integer,
  moduleMap,
  options,
  string,
  strings,
  structure,
  weakString,
  type Options,
} from '@sluice/registry';

/** The option `browse`. */
export const browseOptions = options({
  template_file: string(
    'A template that makes the page, instead of the one that is built in. May contain placeholders.',
  ),
  reveal_symlinks: boolean('Tell where symbolic links lead.'),
  sort: strings('How to sort, unless the client says: name, namedirfirst, size or time; then maybe asc or desc.', {
    examples: [['name', 'desc']],
  }),
  file_limit: integer('Most entries that are read from a folder. Default 10000.', { default: 10000 }),
});

/** The options. */
export const fileServerOptions = options({
  fs: string('Name of a file system of the app caddy.filesystems. May contain placeholders. Default: the disk.'),
  root: string(
    'Folder that is served. May contain placeholders. Default: {http.vars.root}, else the working directory.',
  ),
  hide: strings(
    'Files that do not exist for clients: names, paths, or patterns with `*` and `?`. Those without slash are compared to each part of a path. May contain placeholders.',
  ),
  index_names: strings('Files that stand for their folder; the first one there is taken. May contain placeholders.', {
    default: ['index.html', 'index.txt'],
  }),
  browse: structure('List folders that have no index file.', browseOptions),
  canonical_uris: boolean('Redirect to addresses with a slash for folders, and without one for files. Default true.', {
    default: true,
  }),
  status_code: weakString('Status to send files with, as a number or a text with placeholders. Default 200.'),
  pass_thru: boolean('Go on with the next handler where a file is missing, instead of an error of status 404.'),
  precompressed: moduleMap(
    'Kinds of compressed files to send instead of the plain one beside them.',
    httpPrecompressed,
  ),
  precompressed_order: strings(
    'Which of them to prefer where the client does not care. Default: the order in which it names them.',
  ),
  etag_file_extensions: strings(
    'Extensions of files that hold the entity tag of the file named like them without it, such as `.md5`.',
  ),
});

/** The options as a module gets them. */
export type FileServerOptions = Options<typeof fileServerOptions>;
