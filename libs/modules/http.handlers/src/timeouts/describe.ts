/** What the directive `timeouts` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const timeouts: Description = {
  syntax: ['timeouts [<matcher>]'],
  summary: 'Sets timeouts for reading a request and writing its response.',
  options: [
    { syntax: 'read_timeout <time>', summary: 'Timeout for reading the request body.' },
    { syntax: 'write_timeout <time>', summary: 'Timeout for writing the response.' },
  ],
  example: `:8080 {
	timeouts /upload {
		read_timeout 1h
	}
	reverse_proxy localhost:9000
}
`,
};
