/** What the matcher `file` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const file: Description = {
  syntax: ['file [<file>…]'],
  summary:
    'Matches if one of these files exists. Default: the request path. `{file_match.relative}` is the file found.',
  options: [
    { syntax: 'root <path>', summary: 'Root directory.' },
    { syntax: 'try_files <file>…', summary: 'Files to try.' },
    { syntax: 'try_policy <name>', summary: 'Selection policy if several files exist.' },
    { syntax: 'split_path <suffix>…', summary: 'Substring at which the script name ends.' },
  ],
  example: `:8080 {
	@there file {path} {path}/index.html
	rewrite @there {file_match.relative}
	file_server
}
`,
};
