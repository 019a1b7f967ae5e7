/**
 * Headers of the PROXY protocol, versions 1 and 2 (haproxy.org/download/3.2/doc/proxy-protocol.txt): with which addresses
 * a client came to the proxy that stands before us.
 */
import { parseVersion1, version1Signature } from './version-1.ts';
import { parseVersion2, version2Signature } from './version-2.ts';
import type { HeaderResult } from './header-result.ts';

/** Reads the header at the beginning of `bytes[0..end)`. `incomplete` only if what is there can become one. */
export function parseProxyHeader(bytes: Buffer, end: number): HeaderResult {
  if (begins(bytes, end, version1Signature)) return parseVersion1(bytes, end);
  if (begins(bytes, end, version2Signature)) return parseVersion2(bytes, end);
  return 'absent';
}

/** Whether the bytes that are there are those of a signature, of which some may be missing still. */
function begins(bytes: Buffer, end: number, signature: Buffer): boolean {
  const length = Math.min(end, signature.length);
  return bytes.compare(signature, 0, length, 0, length) === 0;
}

/** Whether the whole signature of a version is there, so that the peer means to send a header. */
export function isAnnounced(bytes: Buffer, end: number): boolean {
  return (
    (end >= version1Signature.length && begins(bytes, end, version1Signature)) ||
    (end >= version2Signature.length && begins(bytes, end, version2Signature))
  );
}
