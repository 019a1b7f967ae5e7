/** Computes the integrity tag of Retry packets (RFC 9001 §5.8). */
import { createCipheriv } from 'node:crypto';
import { tagLength } from '../wire/packet-header.ts';
import type { Version } from '../wire/version.ts';

/**
 * Returns the integrity tag for a Retry packet. `packet` is the packet without the tag. The Retry packet responds to an Initial packet with
 * the destination connection ID `original`.
 */
export function retryTag(version: Version, original: Buffer, packet: Buffer): Buffer {
  const cipher = createCipheriv('aes-128-gcm', version.retryKey, version.retryNonce, { authTagLength: tagLength });
  cipher.setAAD(Buffer.concat([Buffer.from([original.length]), original, packet]));
  cipher.final();
  return cipher.getAuthTag();
}
