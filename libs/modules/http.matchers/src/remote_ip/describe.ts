/** What the matcher `remote_ip` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const remoteIp: Description = {
  syntax: ['remote_ip <range>…'],
  summary:
    'Matches if the peer address of the connection is in one of these ranges. `private_ranges` stands for all private ranges.',
  example: `:8080 {
	@outside not remote_ip private_ranges
	abort @outside
}
`,
};
