/** Bits of addresses that stay as `ip_mask`. */
import { isObject } from '@sluice/base';
import { optionLines, written, type WriteModule } from '@sluice/caddyfile';

/** `ip_mask { ipv4 BITS; ipv6 BITS }` */
export const writeIpMask: WriteModule = (options) => {
  if (!isObject(options)) return null;
  const block = optionLines(options, [
    ['ipv4', 'ipv4_cidr'],
    ['ipv6', 'ipv6_cidr'],
  ]);
  return [written([], block)];
};
