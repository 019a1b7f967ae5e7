/** `client_ip RANGE…` */
import { ranges } from '../common/matcher.ts';

export const clientIp = ranges('client_ip', {
  help: 'Matches requests whose client IP address, as reported by trusted proxies, is in one of the given ranges. `private_ranges` expands to all private ranges.',
  example: '@office client_ip 192.0.2.0/24\nrespond @office hi',
});
