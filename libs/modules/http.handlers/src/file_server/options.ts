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

export const browseOptions = options({
  template_file: string(
    'Template file for the listing, used instead of the built-in template. May contain placeholders.',
  ),
  reveal_symlinks: boolean('Show the targets of symbolic links.'),
  sort: strings(
    'Default sort order: name, namedirfirst, size or time, optionally followed by asc or desc. Clients can override it.',
    {
      examples: [['name', 'desc']],
    },
  ),
  file_limit: integer('Maximum number of entries to read from a directory. Default: 10000.', { default: 10000 }),
});

export const fileServerOptions = options({
  fs: string(
    'Name of a file system of the `caddy.filesystems` app. May contain placeholders. Default: the local disk.',
  ),
  root: string(
    'Root directory. May contain placeholders. Default: {http.vars.root} if it is set, otherwise the working directory.',
  ),
  hide: strings(
    'Files to hide from clients: names, paths, or patterns with `*` and `?`. Patterns without a slash are matched against each path segment. May contain placeholders.',
  ),
  index_names: strings(
    'Index file names. For a directory, the first index file that exists is served. May contain placeholders.',
    {
      default: ['index.html', 'index.txt'],
    },
  ),
  browse: structure(
    'Settings for directory listings, which are served for directories without an index file.',
    browseOptions,
  ),
  canonical_uris: boolean(
    'Add a trailing slash to directory URIs, and remove it from file URIs, by redirecting the client. Default: true.',
    {
      default: true,
    },
  ),
  status_code: weakString('Status code for file responses, as a number or a string with placeholders. Default: 200.'),
  pass_thru: boolean('Call the next handler if the file does not exist, instead of failing with status code 404.'),
  precompressed: moduleMap(
    'Formats of precompressed sidecar files, which are served instead of the original file if the client accepts them.',
    httpPrecompressed,
  ),
  precompressed_order: strings(
    'Preferred order of formats, for clients that do not specify a preference. Default: the order in the Accept-Encoding header field.',
  ),
  etag_file_extensions: strings("Extensions of sidecar files that contain a file's ETag, such as `.md5`."),
});

export type FileServerOptions = Options<typeof fileServerOptions>;
