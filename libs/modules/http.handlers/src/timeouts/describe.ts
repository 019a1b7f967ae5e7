/** What the directive `timeouts` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const timeouts: Description = {
  syntax: ['timeouts [<matcher>]'],
  summary: 'How long reading a request and writing its response may take.',
  options: [
    { syntax: 'read_timeout <time>', summary: 'For reading the body.' },
    { syntax: 'write_timeout <time>', summary: 'For writing the response.' },
  ],
  example: `:8080 {
	timeouts /upload {
		read_timeout 1h
	}
	reverse_proxy localhost:9000
}
`,
};
