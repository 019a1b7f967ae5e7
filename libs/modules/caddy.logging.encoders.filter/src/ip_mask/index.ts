/** The module `caddy.logging.encoders.filter.ip_mask`, which masks the host part of IP addresses. */
import { defineModule, integer, options } from '@sluice/registry';
import { logFieldFilters } from '@sluice/contracts';
import { maskIp } from '@sluice/base';
import { textFilter } from '../common/strings.ts';

export const ipMaskModule = defineModule(logFieldFilters, {
  name: 'ip_mask',
  help: 'Masks the host part of IP addresses. A field may contain several addresses, separated by commas, with or without ports.',
  config: options({
    ipv4_cidr: integer('Prefix length for IPv4 addresses, in bits. 0 = do not mask.', {
      minimum: 0,
      maximum: 32,
    }),
    ipv6_cidr: integer('Prefix length for IPv6 addresses, in bits. 0 = do not mask.', {
      minimum: 0,
      maximum: 128,
    }),
  }),
  provision(config) {
    const v4 = config.ipv4_cidr || 32;
    const v6 = config.ipv6_cidr || 128;
    return textFilter((text) =>
      text
        .split(',')
        .map((part) => maskOne(part.trim(), v4, v6))
        .join(', '),
    );
  },
});

/** Masks the IP address in strings of the form `address`, `address:port` or `[address]:port`. Other strings are not changed. */
function maskOne(text: string, v4: number, v6: number): string {
  const [, inner, innerPort] = /^\[([^\]]+)\](:\d+)$/.exec(text) ?? [];
  if (inner !== undefined) return `[${maskIp(inner, v4, v6)}]${innerPort}`;
  const [, host, port] = /^([\d.]+)(:\d+)$/.exec(text) ?? [];
  if (host !== undefined) return maskIp(host, v4, v6) + port;
  const mapped = /^::ffff:([\d.]+)$/i.exec(text);
  return maskIp(mapped?.[1] ?? text, v4, v6);
}
