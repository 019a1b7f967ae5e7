/** `tls.handshake_match.remote_ip`: by the address of the client. */
import { defineModule, options, strings } from '@sluice/registry';
import { handshakeMatchers } from '@sluice/contracts';
import { rangesOf } from '../common/ranges.ts';

/** The module. */
export const remoteIpModule = defineModule(handshakeMatchers, {
  name: 'remote_ip',
  help: 'Matches by the address of the client, or the one that a PROXY header names.',
  config: options({
    ranges: strings('Addresses and CIDR ranges. None: any address.'),
    not_ranges: strings('Addresses and CIDR ranges that do not match, whatever `ranges` says.'),
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
