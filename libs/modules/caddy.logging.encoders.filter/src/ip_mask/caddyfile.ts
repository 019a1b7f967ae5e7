/** `ip_mask [IPV4 [IPV6]] { ipv4 BITS; ipv6 BITS }` */
import { compact, readInteger, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads how many bits of addresses stay. */
export function readIpMask(reader: Dispenser): Json {
  const [ipv4, ipv6, ...more] = reader.remaining();
  if (more.length > 0) throw reader.error('too many arguments');
  const fields: Record<string, Json> = {};
  if (ipv4 !== undefined) fields['ipv4_cidr'] = readInteger(reader, ipv4, 'ipv4 CIDR');
  if (ipv6 !== undefined) fields['ipv6_cidr'] = readInteger(reader, ipv6, 'ipv6 CIDR');
  for (const option of reader.block()) {
    if (option !== 'ipv4' && option !== 'ipv6') throw reader.error(`unrecognized subdirective ${option}`);
    fields[`${option}_cidr`] = readInteger(reader, reader.argument(), `${option} CIDR`);
  }
  return compact(fields);
}
