/** What the directive `push` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const push: Description = {
  syntax: ['push [<matcher>] [<resource>]'],
  summary:
    'Names what a client will ask for next. Browsers do not support pushes any more; the line is accepted, so that old files load.',
  options: [
    { syntax: '[<method>] <resource>', summary: 'Further resources.' },
    { syntax: 'headers', summary: 'Fields of the pushed requests, as of `request_header`.' },
  ],
  example: `:8080 {
	push / /style.css
	file_server
}
`,
};
