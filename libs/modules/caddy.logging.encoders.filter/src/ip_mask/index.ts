/** `caddy.logging.encoders.filter.ip_mask`: keeps the network of an address. */
import { isIP } from 'node:net';
import { defineModule, integer, logFieldFilters, maskIp, options } from '@sluice/registry';
import { textFilter } from '../common/strings.ts';

/** The module. */
export const ipMaskModule = defineModule(logFieldFilters, {
  name: 'ip_mask',
  help: 'Zeroes the host part of addresses; several in a text are apart by commas.',
  config: options({
    ipv4_cidr: integer('Bits of IPv4 addresses to keep. 0: none are masked.'),
    ipv6_cidr: integer('Bits of IPv6 addresses to keep. 0: none are masked.'),
  }),
  provision(config) {
    const v4 = config.ipv4_cidr || 32;
    const v6 = config.ipv6_cidr || 128;
    return textFilter((text) =>
      text
        .split(',')
        .map((part) => {
          const address = part.trim();
          return isIP(address) === 0 ? part : maskIp(address, v4, v6);
        })
        .join(', '),
    );
  },
});
