/**
 * Builds PROXY protocol headers, versions 1 and 2, which pass the client's address to an upstream.
 * https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt
 */
import { isIPv4, isIPv6, type Socket } from 'node:net';
import { parseIPv6, parseIPv4 } from '@sluice/base';

/** Client address to report in a PROXY header. */
export interface ProxiedClient {
  /** IP address; empty if unknown. */
  readonly address: string;
  readonly port: number;
}

const signature = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]);
/** Version 2 command bytes for PROXY and LOCAL. For LOCAL, the upstream uses the addresses of the connection itself. */
const proxyCommand = 0x21;
const localCommand = 0x20;
const tcp4 = 0x11;
const tcp6 = 0x21;

/** A connected socket. The PROXY header reports its remote address as the destination. */
export type DestinationSocket = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/** Builds the PROXY header for a connection. The destination is the socket's remote address. */
export function proxyHeader(version: 1 | 2, client: ProxiedClient, socket: DestinationSocket): Buffer {
  const destination = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
  return version === 1 ? textHeader(client, destination) : binaryHeader(client, destination);
}

function textHeader(client: ProxiedClient, destination: ProxiedClient): Buffer {
  if (client.address === '') return Buffer.from('PROXY UNKNOWN\r\n');
  const v4 = isIPv4(client.address) && !isIPv6(destination.address);
  const source = v4 ? client.address : mapped(client.address);
  const target =
    destination.address === '' ? (v4 ? '0.0.0.0' : '::') : v4 ? destination.address : mapped(destination.address);
  return Buffer.from(`PROXY TCP${v4 ? 4 : 6} ${source} ${target} ${client.port} ${destination.port}\r\n`);
}

function binaryHeader(client: ProxiedClient, destination: ProxiedClient): Buffer {
  if (client.address === '') return Buffer.concat([signature, Buffer.from([localCommand, 0, 0, 0])]);
  const v4 = isIPv4(client.address) && !isIPv6(destination.address);
  const size = v4 ? 4 : 16;
  const header = Buffer.alloc(16 + size * 2 + 4);
  signature.copy(header);
  header[12] = proxyCommand;
  header[13] = v4 ? tcp4 : tcp6;
  header.writeUInt16BE(size * 2 + 4, 14);
  writeAddress(header, 16, client.address, v4);
  writeAddress(header, 16 + size, destination.address, v4);
  header.writeUInt16BE(client.port, 16 + size * 2);
  header.writeUInt16BE(destination.port, 18 + size * 2);
  return header;
}

function writeAddress(header: Buffer, at: number, address: string, v4: boolean): void {
  if (address === '') return;
  if (v4) {
    header.writeUInt32BE(parseIPv4(address), at);
    return;
  }
  const words = new Uint32Array(4);
  if (!parseIPv6(withoutZone(mapped(address)), words)) return;
  for (const [i, word] of words.entries()) header.writeUInt32BE(word, at + 4 * i);
}

/** Converts an IPv4 address to its IPv4-mapped IPv6 form (RFC 4291 §2.5.5.2). */
function mapped(address: string): string {
  return isIPv4(address) ? `::ffff:${address}` : withoutZone(address);
}

function withoutZone(address: string): string {
  const percent = address.indexOf('%');
  return percent < 0 ? address : address.slice(0, percent);
}
