/** IPv6 addresses in the canonical form that matchers and logs expect. */
import { SocketAddress } from 'node:net';
import { unmapIPv4 } from '@sluice/base';

/** Returns the canonical form (RFC 5952) of an address; a mapped address becomes IPv4. */
export function plainIPv6(address: string): string {
  return unmapIPv4(new SocketAddress({ address, family: 'ipv6' }).address);
}
