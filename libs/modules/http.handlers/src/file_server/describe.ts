/** What the directives `file_server`, `try_files` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const fileServer: Description = {
  syntax: ['file_server [<matcher>] [browse]'],
  summary: 'Serves files from the site root. `browse` lists directories that have no index file.',
  options: [
    { syntax: 'fs <name>', summary: 'File system to serve from, defined by the global option `filesystem`.' },
    { syntax: 'root <path>', summary: 'Root directory. Default: the site root.' },
    { syntax: 'hide <path>…', summary: 'Files to hide; requests for them fail with 404.' },
    { syntax: 'index <name>…', summary: 'Names of index files, which are served for their directory.' },
    {
      syntax: 'browse [<template>]',
      summary: 'Lists directories, optionally with a custom template.',
      options: [
        { syntax: 'reveal_symlinks', summary: 'Shows the targets of symbolic links.' },
        { syntax: 'sort <field> [asc|desc]', summary: 'Default sort order: `name`, `size` or `time`.' },
        { syntax: 'file_limit <count>', summary: 'Maximum number of entries to list.' },
      ],
    },
    {
      syntax: 'precompressed [<format>…]',
      summary:
        'Serves the precompressed sidecar file, such as `x.gz` for `x`, if the client accepts it. Formats are preferred in the given order.',
    },
    { syntax: 'status <status>', summary: 'Status code of responses, instead of 200.' },
    { syntax: 'disable_canonical_uris', summary: 'Disables redirects that add or remove a trailing slash.' },
    { syntax: 'pass_thru', summary: 'Calls the next handler if a file does not exist.' },
    { syntax: 'etag_file_extensions <extension>…', summary: 'Reads the ETag from a sidecar file.' },
  ],
  example: `:8080 {
	root /srv/www
	file_server {
		hide .git
		precompressed br gzip
	}
}
`,
};

export const tryFiles: Description = {
  syntax: ['try_files <file>…'],
  summary:
    'Rewrites the path to the first file that exists, otherwise to the last one. If the last one is `=404`, fails with that status.',
  options: [
    {
      syntax: 'policy <name>',
      summary:
        'Selection policy: `first_exist`, `first_exist_fallback`, `smallest_size`, `largest_size` or `most_recently_modified`.',
    },
  ],
  example: `:8080 {
	root /srv/app
	try_files {path} /index.html
	file_server
}
`,
};
