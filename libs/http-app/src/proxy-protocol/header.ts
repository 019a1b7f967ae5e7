/**
 * Parses PROXY protocol headers, versions 1 and 2. A proxy sends them to report the addresses of a client connection.
 * https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt
 */
import { parseVersion1, version1Signature } from './version-1.ts';
import { parseVersion2, version2Signature } from './version-2.ts';
import type { HeaderResult } from './header-result.ts';

/** Parses the header at the beginning of `bytes[0..end)`. Returns `incomplete` only if more bytes could complete a header. */
export function parseProxyHeader(bytes: Buffer, end: number): HeaderResult {
  if (begins(bytes, end, version1Signature)) return parseVersion1(bytes, end);
  if (begins(bytes, end, version2Signature)) return parseVersion2(bytes, end);
  return 'absent';
}

function begins(bytes: Buffer, end: number, signature: Buffer): boolean {
  const length = Math.min(end, signature.length);
  return bytes.compare(signature, 0, length, 0, length) === 0;
}

export function isAnnounced(bytes: Buffer, end: number): boolean {
  return (
    (end >= version1Signature.length && begins(bytes, end, version1Signature)) ||
    (end >= version2Signature.length && begins(bytes, end, version2Signature))
  );
}
