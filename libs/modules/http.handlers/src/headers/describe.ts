/** What the directives `header`, `request_header` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const header: Description = {
  syntax: ['header [<matcher>] [[+|-|?|>]<field> [<value> [<replacement>]]]'],
  summary:
    'Changes response header fields: a plain name sets, `+` adds, `-` deletes, `?` sets if missing, `>` sets when the response is written. With a replacement, the value is a regular expression that finds the text to replace.',
  options: [
    {
      syntax: '<field> [<value> [<replacement>]]',
      summary: 'Any number of operations, in the syntax of the directive line.',
    },
    { syntax: 'defer', summary: 'Applies the operations when the response is written.' },
    {
      syntax: 'match [header <field> [<value>]|status <code>…]',
      summary: 'Applies the operations only if the response matches.',
    },
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
    'Changes request header fields: a plain name sets, `+` adds, `-` deletes. With a replacement, the value is a regular expression that finds the text to replace.',
  example: `:8080 {
	request_header X-Real-IP {remote_host}
	request_header -Cookie
	reverse_proxy localhost:9000
}
`,
};
