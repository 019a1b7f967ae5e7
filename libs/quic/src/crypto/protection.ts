/** Cipher interface for packet protection (RFC 9001 §5). */
import type { Suite } from './suite.ts';

/** Bytes of one packet. The header is `bytes[start..payload)`. */
export interface PacketBytes {
  bytes: Buffer;
  start: number;
  payload: number;
  /** End offset of the payload. The 16-byte authentication tag follows. */
  end: number;
}

/** Encrypts or decrypts packets with one AEAD key. */
export interface Aead {
  /** Encrypts the payload in place and appends the authentication tag. */
  seal(packetNumber: number, packet: PacketBytes): void;
  /**
   * Decrypts the payload in place. Returns false if the authentication tag is invalid. In that case, the payload is undefined and the tag
   * is unchanged.
   */
  open(packetNumber: number, packet: PacketBytes): boolean;
  /** Frees the key. Repeated calls have no effect. No other method may be called afterwards. */
  free(): void;
}

/** Header protection (RFC 9001 §5.4). Key updates don't change its key. */
export interface HeaderMask {
  /** Returns a mask of at least 5 bytes for the 16-byte sample at `at`. The mask is valid until the next call. */
  mask(bytes: Buffer, at: number): Uint8Array;
  free(): void;
}

/** Creates ciphers. One implementation uses `node:crypto`. The other uses OpenSSL bindings, which take one third of the time. */
export interface CipherProvider {
  aead(suite: Suite, key: Buffer, iv: Buffer, direction: 'seal' | 'open'): Aead;
  headerMask(suite: Suite, key: Buffer): HeaderMask;
}
