/** Ciphers based on `node:crypto`. They are available on every platform and take about 4 µs per packet. */
import {
  createCipheriv,
  createDecipheriv,
  type CipherCCMTypes,
  type CipherGCM,
  type CipherGCMTypes,
  type DecipherGCM,
} from 'node:crypto';
import { tagLength } from '../wire/packet-header.ts';
import type { Aead, CipherProvider, HeaderMask, PacketBytes } from './protection.ts';
import type { Suite } from './suite.ts';

class NodeAead implements Aead {
  readonly #algorithm: CipherGCMTypes;
  readonly #key: Buffer;
  readonly #iv: Buffer;
  readonly #nonce: Buffer = Buffer.alloc(12);

  constructor(suite: Suite, key: Buffer, iv: Buffer) {
    // Node's types list ChaCha20-Poly1305 separately, although it is used in the same way.
    this.#algorithm = suite.aead as CipherGCMTypes | CipherCCMTypes as CipherGCMTypes;
    this.#key = key;
    this.#iv = iv;
  }

  seal(packetNumber: number, { bytes, start, payload, end }: PacketBytes): void {
    const cipher: CipherGCM = createCipheriv(this.#algorithm, this.#key, this.#nonceOf(packetNumber), {
      authTagLength: tagLength,
    });
    cipher.setAAD(bytes.subarray(start, payload));
    bytes.set(cipher.update(bytes.subarray(payload, end)), payload);
    cipher.final();
    bytes.set(cipher.getAuthTag(), end);
  }

  open(packetNumber: number, { bytes, start, payload, end }: PacketBytes): boolean {
    const decipher: DecipherGCM = createDecipheriv(this.#algorithm, this.#key, this.#nonceOf(packetNumber), {
      authTagLength: tagLength,
    });
    decipher.setAAD(bytes.subarray(start, payload));
    decipher.setAuthTag(bytes.subarray(end, end + tagLength));
    const plain = decipher.update(bytes.subarray(payload, end));
    try {
      decipher.final();
    } catch {
      return false;
    }
    bytes.set(plain, payload);
    return true;
  }

  free(): void {}

  /** Returns the nonce of a packet: the initialization vector with the packet number XORed into its end (RFC 9001 §5.3). */
  #nonceOf(packetNumber: number): Buffer {
    const nonce = this.#nonce;
    this.#iv.copy(nonce);
    const high = Math.floor(packetNumber / 0x1_0000_0000);
    nonce.writeUInt32BE((nonce.readUInt32BE(4) ^ high) >>> 0, 4);
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ (packetNumber % 0x1_0000_0000)) >>> 0, 8);
    return nonce;
  }
}

/** Header protection with AES: one AES-ECB block per sample (RFC 9001 §5.4.3). */
class AesMask implements HeaderMask {
  readonly #cipher;

  constructor({ keyLength }: Suite, key: Buffer) {
    this.#cipher = createCipheriv(keyLength === 16 ? 'aes-128-ecb' : 'aes-256-ecb', key, null).setAutoPadding(false);
  }

  mask(bytes: Buffer, at: number): Uint8Array {
    return this.#cipher.update(bytes.subarray(at, at + 16));
  }

  free(): void {}
}

/** Header protection with ChaCha20: the sample contains the counter and the nonce (RFC 9001 §5.4.4). */
class ChaChaMask implements HeaderMask {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  mask(bytes: Buffer, at: number): Uint8Array {
    return createCipheriv('chacha20', this.#key, bytes.subarray(at, at + 16)).update(zeros);
  }

  free(): void {}
}

const zeros = Buffer.alloc(5);

export const nodeCiphers: CipherProvider = {
  aead: (suite, key, iv) => new NodeAead(suite, key, iv),
  headerMask: (suite, key) => (suite.aead === 'chacha20-poly1305' ? new ChaChaMask(key) : new AesMask(suite, key)),
};
