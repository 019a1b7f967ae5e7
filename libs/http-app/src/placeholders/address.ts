/** Placeholders of connection addresses: `remote.host`, `remote.port`, `remote.host/24,64`. */
import { networkOf, type Accessor } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';

/** Joins an address and a port. IPv6 addresses are enclosed in brackets. */
export function joinAddress(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Resolves placeholder names that follow `http.request.remote.` or `http.request.local.`. */
export function resolveAddress(rest: string, side: 'remote' | 'local'): Accessor<Exchange> | null {
  if (rest === 'port')
    return ({ connection }) => String(side === 'remote' ? connection.remotePort : connection.localPort);
  const read = ({ connection }: Exchange): string =>
    side === 'remote' ? connection.remoteAddress : connection.localAddress;
  if (rest === 'host') return read;
  if (side === 'local' || !rest.startsWith('host/')) return null;
  const [v4 = '', v6 = v4] = rest.slice(5).split(',', 2);
  return maskedBy(read, bitsOf(v4, 32), bitsOf(v6, 128));
}

/** Parses a prefix length. Returns -1 if it is invalid for the address family. */
function bitsOf(text: string, max: number): number {
  return /^\+?\d{1,9}$/.test(text) && Number(text) <= max ? Number(text) : -1;
}

/** Returns an accessor for the network of an address. The value is empty if the prefix length is invalid for the address family. */
function maskedBy(read: (exchange: Exchange) => string, v4: number, v6: number): Accessor<Exchange> {
  return (exchange) => {
    const address = read(exchange);
    return (address.includes(':') ? v6 : v4) < 0 ? '' : networkOf(address, v4, v6);
  };
}
