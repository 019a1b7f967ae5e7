/** Key derivation (RFC 8446 §7.1, RFC 9001 §5.1). */
import { createHmac } from 'node:crypto';

export type Hash = 'sha256' | 'sha384';

/** HKDF-Extract (RFC 5869 §2.2). */
export function extract(hash: Hash, salt: Buffer, input: Buffer): Buffer {
  return createHmac(hash, salt).update(input).digest();
}

/** HKDF-Expand-Label (RFC 8446 §7.1) with an empty context. `length` must not exceed the hash size. */
export function expandLabel(hash: Hash, secret: Buffer, label: string, length: number): Buffer {
  const name = `tls13 ${label}`;
  const info = Buffer.alloc(2 + 1 + name.length + 1 + 1);
  info.writeUInt16BE(length, 0);
  info[2] = name.length;
  info.write(name, 3, 'latin1');
  info[info.length - 1] = 1;
  return createHmac(hash, secret).update(info).digest().subarray(0, length);
}
