/** What the matcher `client_ip` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const clientIp: Description = {
  syntax: ['client_ip <range>…'],
  summary:
    'Matches if the client address, as reported by trusted proxies, is in one of these ranges. `private_ranges` stands for all private ranges.',
  example: `:8080 {
	@office client_ip 192.0.2.0/24
	respond @office hi
}
`,
};
