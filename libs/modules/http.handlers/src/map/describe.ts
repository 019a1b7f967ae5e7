/** What the directive `map` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const map: Description = {
  syntax: ['map [<matcher>] <source> <destination>…'],
  summary:
    'Sets placeholders based on the value of another one. Each line is an input, or `~` and a regular expression, and one output per destination. `-` selects the default.',
  options: [{ syntax: 'default <output>…', summary: 'Values if no line matches.' }],
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
