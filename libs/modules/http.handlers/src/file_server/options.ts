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
  template_file: string('Template file for the listing, instead of the built-in one. May contain placeholders.'),
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
  root: string('Root directory. May contain placeholders. Default: {http.vars.root}, otherwise the working directory.'),
  hide: strings(
    'Files to hide from clients: names, paths, or patterns with `*` and `?`. Patterns without a slash are matched against each path component. May contain placeholders.',
  ),
  index_names: strings(
    'Names of index files, which are served for their directory. The first one that exists is served. May contain placeholders.',
    {
      default: ['index.html', 'index.txt'],
    },
  ),
  browse: structure('List directories that have no index file.', browseOptions),
  canonical_uris: boolean(
    'Redirect directory URIs to a trailing slash, and file URIs to no trailing slash. Default: true.',
    {
      default: true,
    },
  ),
  status_code: weakString('Status of file responses, as a number or a string with placeholders. Default: 200.'),
  pass_thru: boolean('Call the next handler if a file does not exist, instead of failing with 404.'),
  precompressed: moduleMap(
    'Formats of precompressed sidecar files to serve instead of the original file.',
    httpPrecompressed,
  ),
  precompressed_order: strings(
    'Order of preference if the client does not specify one. Default: the order in the Accept-Encoding header.',
  ),
  etag_file_extensions: strings("Extensions of sidecar files that contain a file's ETag, such as `.md5`."),
});

export type FileServerOptions = Options<typeof fileServerOptions>;
