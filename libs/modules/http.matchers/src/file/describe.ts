/** What the matcher `file` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const file: Description = {
  syntax: ['file [<file>…]'],
  summary:
    'One of these files is there; the path of the request where none is named. `{file_match.relative}` is which.',
  options: [
    { syntax: 'root <path>', summary: 'Where it is looked for.' },
    { syntax: 'try_files <file>…', summary: 'The files.' },
    { syntax: 'try_policy <name>', summary: 'Which is taken of several.' },
    { syntax: 'split_path <suffix>…', summary: 'Where the path of a script ends.' },
  ],
  example: `:8080 {
	@there file {path} {path}/index.html
	rewrite @there {file_match.relative}
	file_server
}
`,
};
