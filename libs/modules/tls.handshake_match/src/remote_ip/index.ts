/** `tls.handshake_match.remote_ip`: matches the client's IP address. */
import { defineModule, options, strings } from '@sluice/registry';
import { handshakeMatchers } from '@sluice/contracts';
import { rangesOf } from '../common/ranges.ts';

export const remoteIpModule = defineModule(handshakeMatchers, {
  name: 'remote_ip',
  help: 'Matches by client IP address: the peer address, or the address in the PROXY protocol header if there is one.',
  config: options({
    ranges: strings('IP addresses and CIDR ranges. Default: any address matches.'),
    not_ranges: strings('IP addresses and CIDR ranges to exclude. Takes precedence over `ranges`.'),
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
