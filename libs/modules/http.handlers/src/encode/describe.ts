/** What the directive `encode` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const encode: Description = {
  syntax: ['encode [<matcher>] [<format>…]'],
  summary:
    'Compresses responses for clients that accept it. Formats are offered in the order they are named in; without one these are zstd and gzip.',
  module: 'http.encoders',
  block: 'http.encoders',
  options: [
    { syntax: 'minimum_length <bytes>', summary: 'Shorter responses stay as they are.' },
    {
      syntax: 'match [header <field> [<value>]|status <code>…]',
      summary: 'Only responses that match are compressed. Without it, those whose type is known to be worth it.',
      options: [
        {
          syntax: 'header <field> [<value>]',
          summary: 'A field of the response. `*` stands for any text in its value.',
        },
        { syntax: 'status <code>…', summary: 'Statuses, or classes such as `2xx`.' },
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
