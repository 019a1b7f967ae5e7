/** Cipher suites of TLS 1.3 that QUIC may use (RFC 9001 §5.3). */
import type { Hash } from './hkdf.ts';

/** What a suite needs. */
export interface Suite {
  /** Number of the suite in TLS. */
  readonly id: number;
  readonly aead: 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305';
  readonly hash: Hash;
  /** Length of a key, in bytes. */
  readonly keyLength: number;
  /** Packets that may be sealed with one key (RFC 9001 §6.6). */
  readonly confidentialityLimit: number;
  /** Packets that may fail to open in one connection (RFC 9001 §6.6). */
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

/** The suite with a number of TLS, or `null` if QUIC has no use for it. */
export function suiteOf(id: number): Suite | null {
  return [aes128Gcm, aes256Gcm, chacha20Poly1305].find((suite) => suite.id === id) ?? null;
}
