/** Placeholders of connection addresses: `remote.host`, `remote.port`, `remote.host/24,64`. */
import { networkOf, type Accessor } from '@sluice/registry';
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
  return (exchange) => networkOf(read(exchange) as string, v4, v6);
}
