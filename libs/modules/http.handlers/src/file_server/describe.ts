/** What the directives `file_server`, `try_files` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const fileServer: Description = {
  syntax: ['file_server [<matcher>] [browse]'],
  summary: 'Serves files below the root of the site. `browse` lists folders that have no index.',
  options: [
    { syntax: 'fs <name>', summary: 'The file system, one of the global option `filesystem`.' },
    { syntax: 'root <path>', summary: 'Another root than that of the site.' },
    { syntax: 'hide <path>…', summary: 'Files that are served as if they were not there.' },
    { syntax: 'index <name>…', summary: 'Names of files that stand for their folder.' },
    {
      syntax: 'browse [<template>]',
      summary: 'Lists folders, by a template of yours if you like.',
      options: [
        { syntax: 'reveal_symlinks', summary: 'Shows where links lead.' },
        { syntax: 'sort <field> [asc|desc]', summary: 'The order to begin with: `name`, `size` or `time`.' },
        { syntax: 'file_limit <count>', summary: 'How many entries are listed at most.' },
      ],
    },
    {
      syntax: 'precompressed [<format>…]',
      summary: 'Serves a file `x.gz` beside `x` where the client accepts it; in the order of formats.',
    },
    { syntax: 'status <status>', summary: 'Writes another status than 200.' },
    { syntax: 'disable_canonical_uris', summary: 'Does not redirect for a slash that is missing or too much.' },
    { syntax: 'pass_thru', summary: 'Goes on with the next handler where a file is missing.' },
    { syntax: 'etag_file_extensions <extension>…', summary: 'Takes the entity tag from a file beside the file.' },
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
    'Rewrites the path to the first of these files that there is, else to the last. `=404` as the last ends with that status.',
  options: [
    {
      syntax: 'policy <name>',
      summary:
        'Which is taken: `first_exist`, `first_exist_fallback`, `smallest_size`, `largest_size` or `most_recently_modified`.',
    },
  ],
  example: `:8080 {
	root /srv/app
	try_files {path} /index.html
	file_server
}
`,
};
