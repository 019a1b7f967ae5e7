/** Protection of packets (RFC 9001 §5): the interface through which a connection uses ciphers. */
import type { Suite } from './suite.ts';

/** The bytes of one packet: the header is `bytes[start..payload)`. */
export interface PacketBytes {
  bytes: Buffer;
  start: number;
  payload: number;
  /** End of the payload. The tag of 16 bytes follows. */
  end: number;
}

/** Seals or opens packets with one AEAD key. */
export interface Aead {
  /** Encrypts the payload in place and writes the tag after it. */
  seal(packetNumber: number, packet: PacketBytes): void;
  /** Decrypts the payload in place. Returns false if the tag is wrong; the payload is then undefined, the tag unchanged. */
  open(packetNumber: number, packet: PacketBytes): boolean;
  /** Frees what the key holds. Idempotent; nothing else may be called afterwards. */
  free(): void;
}

/** Masks headers (RFC 9001 §5.4). It stays the same when keys are updated. */
export interface HeaderMask {
  /** Returns at least 5 bytes for the sample of 16 bytes at `at`. They are valid until the next call. */
  mask(bytes: Buffer, at: number): Uint8Array;
  /** Idempotent. */
  free(): void;
}

/** Makes ciphers: by `node:crypto`, or by bindings to OpenSSL, which cost a third of it. */
export interface CipherProvider {
  aead(suite: Suite, key: Buffer, iv: Buffer, direction: 'seal' | 'open'): Aead;
  headerMask(suite: Suite, key: Buffer): HeaderMask;
}
