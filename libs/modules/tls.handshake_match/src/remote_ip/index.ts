/** `tls.handshake_match.remote_ip`: matches the client's IP address. */
import { defineModule, options, strings } from '@sluice/registry';
import { handshakeMatchers } from '@sluice/contracts';
import { rangesOf } from '../common/ranges.ts';

export const remoteIpModule = defineModule(handshakeMatchers, {
  name: 'remote_ip',
  help: 'Matches TLS handshakes by client IP address. If there is a PROXY protocol header, the address in the header is used. Otherwise, the peer address is used.',
  config: options({
    ranges: strings('IP addresses and CIDR ranges to match. Default: any address matches.'),
    not_ranges: strings('IP addresses and CIDR ranges to exclude. Exclusions take precedence over `ranges`.'),
  }),
  provision(config, context) {
    const contains = rangesOf(config.ranges, context, 'ranges');
    const excludes = rangesOf(config.not_ranges, context, 'not_ranges');
    return {
      match: ({ remoteAddress }) =>
        (contains === null || contains(remoteAddress)) && (excludes === null || !excludes(remoteAddress)),
    };
  },
});
