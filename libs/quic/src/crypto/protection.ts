/** Cipher interface for packet protection (RFC 9001 §5). */
import type { Suite } from './suite.ts';

/** Bytes of a packet. The header is `bytes[start..payload)`. */
export interface PacketBytes {
  bytes: Buffer;
  start: number;
  payload: number;
  /** End of the payload. The 16-byte tag follows. */
  end: number;
}

/** Seals or opens packets with one AEAD key. */
export interface Aead {
  /** Encrypts the payload in place and appends the tag. */
  seal(packetNumber: number, packet: PacketBytes): void;
  /** Decrypts the payload in place. Returns false if the tag is invalid; the payload is then undefined, and the tag unchanged. */
  open(packetNumber: number, packet: PacketBytes): boolean;
  /** Frees the key. Idempotent; no other method may be called afterwards. */
  free(): void;
}

/** Header protection (RFC 9001 §5.4). Key updates do not change it. */
export interface HeaderMask {
  /** Returns at least 5 bytes for the 16-byte sample at `at`. Valid until the next call. */
  mask(bytes: Buffer, at: number): Uint8Array;
  free(): void;
}

/** Creates ciphers based on `node:crypto`, or on OpenSSL bindings at a third of the cost. */
export interface CipherProvider {
  aead(suite: Suite, key: Buffer, iv: Buffer, direction: 'seal' | 'open'): Aead;
  headerMask(suite: Suite, key: Buffer): HeaderMask;
}
