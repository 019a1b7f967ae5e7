/** What the directives `header`, `request_header` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const header: Description = {
  syntax: ['header [<matcher>] [[+|-|?|>]<field> [<value> [<replacement>]]]'],
  summary:
    'Changes fields of the response: sets one, `+` adds, `-` deletes, `?` sets where it is missing, `>` sets when the response is written. With a replacement the value is a regular expression of what is replaced.',
  options: [
    {
      syntax: '<field> [<value> [<replacement>]]',
      summary: 'Any number of operations, as on the line of the directive.',
    },
    { syntax: 'defer', summary: 'Runs them when the response is written.' },
    { syntax: 'match [header <field> [<value>]|status <code>…]', summary: 'Only where the response matches.' },
  ],
  example: `:8080 {
	header {
		Strict-Transport-Security max-age=31536000
		-Server
		?Cache-Control max-age=60
	}
	header /old Location http:// https://
}
`,
};

export const requestHeader: Description = {
  syntax: ['request_header [<matcher>] [+|-]<field> [<value> [<replacement>]]'],
  summary:
    'Changes fields of the request: sets one, `+` adds, `-` deletes. With a replacement the value is a regular expression of what is replaced.',
  example: `:8080 {
	request_header X-Real-IP {remote_host}
	request_header -Cookie
	reverse_proxy localhost:9000
}
`,
};
