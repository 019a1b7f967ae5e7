/** Placeholders of connection addresses: `remote.host`, `remote.port`, `remote.host/24,64`. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { Accessor } from '@sluice/registry';
import type { Exchange } from '../exchange/exchange.ts';

/** Address and port as one text; IPv6 in brackets. */
export function joinAddress(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Resolves what follows `http.request.remote.` or `http.request.local.`. */
export function resolveAddress(rest: string, side: 'remote' | 'local'): Accessor<Exchange> | null {
  if (rest === 'port')
    return ({ connection }) => String(side === 'remote' ? connection.remotePort : connection.localPort);
  const read: Accessor<Exchange> = ({ connection }) =>
    side === 'remote' ? connection.remoteAddress : connection.localAddress;
  if (rest === 'host') return read;
  const bits = /^host\/(\d{1,3})(?:,(\d{1,3}))?$/.exec(rest);
  if (bits === null) return null;
  const v4 = Number(bits[1]);
  const v6 = Number(bits[2] ?? bits[1]);
  return (exchange) => maskAddress(read(exchange) as string, v4, v6);
}

/** The network of an address: `192.0.2.17` with 24 bits -> `192.0.2.0/24`. What is no address stays as it is. */
export function maskAddress(address: string, v4Bits: number, v6Bits: number): string {
  const v4 = isIPv4(address);
  if (!v4 && !isIPv6(address)) return address;
  const bits = v4 ? v4Bits : v6Bits;
  if (bits > (v4 ? 32 : 128)) return address;
  const list = new BlockList();
  list.addSubnet(address, bits, v4 ? 'ipv4' : 'ipv6');
  // The rule reads "Subnet: IPv4 192.0.2.0/24".
  return list.rules[0]?.split(' ')[2] ?? address;
}
