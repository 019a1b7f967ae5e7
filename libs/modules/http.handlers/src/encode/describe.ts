/** What the directive `encode` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const encode: Description = {
  syntax: ['encode [<matcher>] [<format>…]'],
  summary:
    'Compresses responses for clients that accept it. Formats are offered in the given order. Default: zstd, gzip.',
  module: 'http.encoders',
  block: 'http.encoders',
  options: [
    { syntax: 'minimum_length <bytes>', summary: 'Minimum response size; shorter responses are not compressed.' },
    {
      syntax: 'match [header <field> [<value>]|status <code>…]',
      summary: 'Responses to compress. Default: content types that compress well.',
      options: [
        {
          syntax: 'header <field> [<value>]',
          summary: 'Response header field. `*` in the value matches any string.',
        },
        { syntax: 'status <code>…', summary: 'Status codes, or classes such as `2xx`.' },
      ],
    },
  ],
  example: `:8080 {
	encode {
		zstd
		gzip 6
		minimum_length 1024
	}
	file_server
}
`,
};
