/** PROXY protocol version 1: a text line such as `PROXY TCP4 192.0.2.1 198.51.100.2 40000 443`. */
import { isIPv4, isIPv6 } from 'node:net';
import type { HeaderResult } from './header-result.ts';
import { plainIPv6 } from './plain-ipv6.ts';

export const version1Signature: Buffer = Buffer.from('PROXY', 'latin1');

/** Maximum length of a version 1 line in bytes, including CRLF. */
const maxLength = 107;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** Parses a version 1 line with a valid signature. The line may be incomplete. */
export function parseVersion1(bytes: Buffer, end: number): HeaderResult {
  const limit = Math.min(end, maxLength);
  const at = bytes.subarray(0, limit).indexOf(lineFeed);
  if (at < 0) return end < maxLength ? 'incomplete' : 'malformed';
  if (bytes[at - 1] !== carriageReturn) return 'malformed';
  const length = at + 1;
  const words = bytes.toString('latin1', 0, at - 1).split(' ');
  if (words[0] !== 'PROXY') return 'malformed';
  if (words[1] === 'UNKNOWN') return { length, addresses: null };
  if (words.length !== 6) return 'malformed';
  const [, family, source = '', destination = '', sourcePort = '', destinationPort = ''] = words;
  const remoteAddress = addressOf(family, source);
  const localAddress = addressOf(family, destination);
  const remotePort = portOf(sourcePort);
  const localPort = portOf(destinationPort);
  if (remoteAddress === null || localAddress === null || remotePort < 0 || localPort < 0) return 'malformed';
  return { length, addresses: { remoteAddress, remotePort, localAddress, localPort } };
}

function addressOf(family: string | undefined, text: string): string | null {
  if (family === 'TCP4') return isIPv4(text) ? text : null;
  return family === 'TCP6' && isIPv6(text) && !text.includes('%') ? plainIPv6(text) : null;
}

/** Parses a port without leading zeros. Returns -1 if it is invalid. */
function portOf(text: string): number {
  const port = Number(text);
  return port <= 0xffff && String(port) === text ? port : -1;
}
