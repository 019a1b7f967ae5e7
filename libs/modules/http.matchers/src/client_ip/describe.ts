/** What the matcher `client_ip` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const clientIp: Description = {
  syntax: ['client_ip <range>…'],
  summary:
    'The address of the client, as trusted proxies tell it, is in one of these ranges. `private_ranges` stands for all that are private.',
  example: `:8080 {
	@office client_ip 192.0.2.0/24
	respond @office hi
}
`,
};
