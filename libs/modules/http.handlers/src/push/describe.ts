/** What the directive `push` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const push: Description = {
  syntax: ['push [<matcher>] [<resource>]'],
  summary:
    'Announces resources for HTTP/2 server push. Accepted for compatibility but ignored, because browsers no longer support it.',
  options: [
    { syntax: '[<method>] <resource>', summary: 'Additional resources.' },
    { syntax: 'headers', summary: 'Header fields of pushed requests, in the syntax of `request_header`.' },
  ],
  example: `:8080 {
	push / /style.css
	file_server
}
`,
};
