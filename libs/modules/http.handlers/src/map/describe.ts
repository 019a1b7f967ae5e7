/** What the directive `map` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const map: Description = {
  syntax: ['map [<matcher>] <source> <destination>…'],
  summary:
    'Sets placeholders by the value of another. Lines are an input, or `~` and a regular expression, and an output for each destination; `-` leaves one to the default.',
  options: [{ syntax: 'default <output>…', summary: 'What holds where no line matches.' }],
  example: `:8080 {
	map {path} {backend} {
		/api/* localhost:9000
		~^/v(\\d+)/ localhost:90{re.1}
		default localhost:9999
	}
	reverse_proxy {backend}
}
`,
};
