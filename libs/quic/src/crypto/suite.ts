/** TLS 1.3 cipher suites for QUIC (RFC 9001 §5.3). */
import type { Hash } from './hkdf.ts';

/** Parameters of a cipher suite. */
export interface Suite {
  /** IANA number of the TLS cipher suite. */
  readonly id: number;
  readonly aead: 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305';
  readonly hash: Hash;
  /** Key length in bytes. */
  readonly keyLength: number;
  /** Maximum number of packets to encrypt with one key (RFC 9001 §6.6). */
  readonly confidentialityLimit: number;
  /** Maximum number of packets per connection that may fail to decrypt (RFC 9001 §6.6). */
  readonly integrityLimit: number;
}

export const aes128Gcm: Suite = {
  id: 0x1301,
  aead: 'aes-128-gcm',
  hash: 'sha256',
  keyLength: 16,
  confidentialityLimit: 2 ** 23,
  integrityLimit: 2 ** 52,
};

const aes256Gcm: Suite = { ...aes128Gcm, id: 0x1302, aead: 'aes-256-gcm', hash: 'sha384', keyLength: 32 };

const chacha20Poly1305: Suite = {
  id: 0x1303,
  aead: 'chacha20-poly1305',
  hash: 'sha256',
  keyLength: 32,
  confidentialityLimit: Number.MAX_SAFE_INTEGER,
  integrityLimit: 2 ** 36,
};

/** Returns a cipher suite by its IANA number. Returns `null` if QUIC doesn't support it. */
export function suiteOf(id: number): Suite | null {
  return [aes128Gcm, aes256Gcm, chacha20Poly1305].find((suite) => suite.id === id) ?? null;
}
