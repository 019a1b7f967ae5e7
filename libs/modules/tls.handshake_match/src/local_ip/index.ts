/** `tls.handshake_match.local_ip`: matches the local IP address to which the client connected. */
import { defineModule, options, strings } from '@sluice/registry';
import { handshakeMatchers } from '@sluice/contracts';
import { rangesOf } from '../common/ranges.ts';

export const localIpModule = defineModule(handshakeMatchers, {
  name: 'local_ip',
  help: 'Matches TLS handshakes by the local address that the client connected to.',
  config: options({ ranges: strings('IP addresses and CIDR ranges to match. Default: any address matches.') }),
  provision(config, context) {
    const contains = rangesOf(config.ranges, context, 'ranges');
    return { match: ({ localAddress }) => contains === null || contains(localAddress) };
  },
});
