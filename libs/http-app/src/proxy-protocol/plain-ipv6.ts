/** Converts IPv6 addresses to the canonical form that matchers and logs expect. */
import { SocketAddress } from 'node:net';
import { unmapIPv4 } from '@sluice/base';

/** Returns the canonical form (RFC 5952) of an IPv6 address. IPv4-mapped addresses become IPv4. */
export function plainIPv6(address: string): string {
  return unmapIPv4(new SocketAddress({ address, family: 'ipv6' }).address);
}
