/** QUIC packet protection with OpenSSL's EVP functions, which cost a third of node:crypto (RFC 9001 §5). */
import { byteAt } from '@sluice/base';
import { Handle } from '../handle.ts';
import { CallList } from '../call-list.ts';
import { addressIn, addressNumber, addressNumberIn, Block } from '../memory.ts';
import { openssl, opensslError } from './functions.ts';

export interface AeadSuite {
  readonly aead: 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305';
}

/** Bytes of one packet. The header is `bytes[start..payload)`, and a 16-byte tag follows the payload. */
export interface SealedBytes {
  readonly bytes: Buffer;
  readonly start: number;
  readonly payload: number;
  readonly end: number;
}

const tagLength = 16;
const control = { getTag: 0x10, setTag: 0x11 } as const;
const names = { 'aes-128-gcm': 'AES-128-GCM', 'aes-256-gcm': 'AES-256-GCM', 'chacha20-poly1305': 'ChaCha20-Poly1305' };
const maskNames = { 'aes-128-gcm': 'AES-128-ECB', 'aes-256-gcm': 'AES-256-ECB', 'chacha20-poly1305': 'ChaCha20' };

/** Memory that all calls in a thread share. */
interface Scratch {
  readonly nonce: Block;
  readonly nonceAt: bigint;
  readonly lengthAt: bigint;
  readonly mask: Block;
  readonly maskAt: bigint;
  readonly iv: Block;
  readonly ivAt: bigint;
  readonly zerosAt: bigint;
}

let scratchOfThread: Scratch | null = null;
const fetched = new Map<string, bigint>();

function scratch(): Scratch {
  if (scratchOfThread !== null) return scratchOfThread;
  const [nonce, length, mask, iv, zeros] = [16, 16, 32, 16, 16].map((size) => new Block(size).pin()) as [
    Block,
    Block,
    Block,
    Block,
    Block,
  ];
  scratchOfThread = {
    nonce,
    nonceAt: nonce.at(0, 16),
    lengthAt: length.at(0, 16),
    mask,
    maskAt: mask.at(0, 32),
    iv,
    ivAt: iv.at(0, 16),
    zerosAt: zeros.at(0, 16),
  };
  return scratchOfThread;
}

/** Returns an OpenSSL cipher. Ciphers are kept for the lifetime of the process. */
function cipherOf(name: string): bigint {
  let cipher = fetched.get(name);
  if (cipher === undefined) {
    cipher = openssl().EVP_CIPHER_fetch(0n, name, null);
    if (cipher === 0n) throw opensslError(`OpenSSL does not support cipher ${name}`);
    fetched.set(name, cipher);
  }
  return cipher;
}

function contextOf(cipher: bigint, key: Buffer, { iv, encrypts }: { iv: bigint; encrypts: boolean }): Handle {
  const { EVP_CIPHER_CTX_new, EVP_CIPHER_CTX_free, EVP_CipherInit_ex } = openssl();
  const context = new Handle(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free, () =>
    opensslError('cannot allocate a cipher context'),
  );
  const keyAt = addressIn(key, 0, key.length);
  if (EVP_CipherInit_ex(context.address, cipher, 0n, keyAt, iv, encrypts ? 1 : 0) === 1) return context;
  context.free();
  throw opensslError('OpenSSL rejected the cipher key');
}

/** Buffer bounds are checked when the buffer address is taken. */
function checkOrder(start: number, payload: number, end: number): void {
  if (payload < start || end < payload)
    throw new RangeError(`packet payload at ${payload} is outside the packet from ${start} to ${end}`);
}

/** Positions of calls in {@link AeadCalls}. The first call sets the nonce. */
const header = 1;
const body = 2;

/** The calls that seal or open a packet, shared by all keys of a thread. */
class AeadCalls {
  readonly #list: CallList;
  readonly #tag: number;

  constructor(list: CallList, { nonceAt, lengthAt }: Scratch, encrypts: boolean) {
    const [nonce, length] = [addressNumber(nonceAt), addressNumber(lengthAt)];
    const kind = encrypts ? 'Encrypt' : 'Decrypt';
    this.#list = list;
    // The tag is read after the last step of encryption, and set before decryption.
    this.#tag = encrypts ? 4 : 3;
    list.call(0, `EVP_${kind}Init`, 0, 0, 0, nonce);
    list.call(header, `EVP_${kind}Update`, 0, 0, length);
    list.call(body, `EVP_${kind}Update`, 0, 0, length);
    list.call(this.#tag, 'EVP_CIPHER_CTX_ctrl', 0, encrypts ? control.getTag : control.setTag, tagLength);
    // Nothing is written after the payload, because these are stream ciphers.
    list.call(7 - this.#tag, `EVP_${kind}Final_ex`, 0, length, length);
  }

  /** Processes the packet at an address. Returns false if OpenSSL reports a failure. */
  run(context: number, address: number, payload: number, end: number): boolean {
    const list = this.#list;
    for (let call = 0; call < 5; call++) list.argument(call, 0, context);
    list.argument(header, 3, address);
    list.argument(header, 4, payload);
    list.argument(body, 1, address + payload);
    list.argument(body, 3, address + payload);
    list.argument(body, 4, end - payload);
    list.argument(this.#tag, 3, address + end);
    list.run();
    return list.result(4) === 1;
  }
}

/** The call lists of a thread; `null` if call lists are not supported. */
interface Calls {
  readonly seal: AeadCalls;
  readonly open: AeadCalls;
  readonly aesMask: CallList;
  readonly chaChaMask: CallList;
}

let callsOfThread: Calls | null | undefined;

function calls(): Calls | null {
  return (callsOfThread ??= createCalls());
}

function createCalls(): Calls | null {
  const lists = [5, 5, 1, 2].map((count) => CallList.create(count));
  const [seal, open, aesMask, chaChaMask] = lists;
  if (seal == null || open == null || aesMask == null || chaChaMask == null) return null;
  const memory = scratch();
  const [maskAt, zerosAt] = [addressNumber(memory.maskAt), addressNumber(memory.zerosAt)];
  aesMask.call(0, 'EVP_Cipher', 0, maskAt, 0, 16);
  chaChaMask.call(0, 'EVP_EncryptInit', 0, 0, 0, 0);
  chaChaMask.call(1, 'EVP_Cipher', 0, maskAt, zerosAt, 16);
  return { seal: new AeadCalls(seal, memory, true), open: new AeadCalls(open, memory, false), aesMask, chaChaMask };
}

/** Seals or opens packets with one key. */
class NativeAead {
  readonly #calls: AeadCalls | null;
  readonly #context: Handle;
  readonly #ivHigh: number;
  readonly #ivLow: number;
  readonly #iv: Buffer;
  readonly #memory: Scratch = scratch();
  readonly #functions = openssl();

  constructor({ aead }: AeadSuite, key: Buffer, iv: Buffer, direction: 'seal' | 'open') {
    this.#iv = iv;
    this.#ivHigh = iv.readUInt32BE(4);
    this.#ivLow = iv.readUInt32BE(8);
    this.#context = contextOf(cipherOf(names[aead]), key, {
      iv: addressIn(iv, 0, 12),
      encrypts: direction === 'seal',
    });
    this.#calls = calls()?.[direction] ?? null;
  }

  /** Implements the nonce of RFC 9001 §5.3. */
  #setNonce(packetNumber: number): void {
    const { bytes } = this.#memory.nonce;
    const iv = this.#iv;
    for (let i = 0; i < 4; i++) bytes[i] = byteAt(iv, i);
    bytes.writeUInt32BE((this.#ivHigh ^ Math.floor(packetNumber / 0x1_0000_0000)) >>> 0, 4);
    bytes.writeUInt32BE((this.#ivLow ^ (packetNumber % 0x1_0000_0000)) >>> 0, 8);
  }

  seal(packetNumber: number, { bytes, start, payload, end }: SealedBytes): void {
    this.#setNonce(packetNumber);
    const context = this.#context.address;
    checkOrder(start, payload, end);
    if (this.#calls !== null) {
      const base = addressNumberIn(bytes, start, end + tagLength - start);
      if (!this.#calls.run(Number(context), base, payload - start, end - start))
        throw opensslError('cannot seal a packet');
      return;
    }
    const { nonceAt, lengthAt } = this.#memory;
    const { EVP_EncryptInit, EVP_EncryptUpdate, EVP_EncryptFinal_ex, EVP_CIPHER_CTX_ctrl } = this.#functions;
    const base = addressIn(bytes, start, end + tagLength - start);
    const body = base + BigInt(payload - start);
    const tag = base + BigInt(end - start);
    EVP_EncryptInit(context, 0n, 0n, nonceAt);
    EVP_EncryptUpdate(context, 0n, lengthAt, base, payload - start);
    EVP_EncryptUpdate(context, body, lengthAt, body, end - payload);
    EVP_EncryptFinal_ex(context, tag, lengthAt);
    if (EVP_CIPHER_CTX_ctrl(context, control.getTag, tagLength, tag) !== 1) throw opensslError('cannot seal a packet');
  }

  open(packetNumber: number, { bytes, start, payload, end }: SealedBytes): boolean {
    this.#setNonce(packetNumber);
    const context = this.#context.address;
    checkOrder(start, payload, end);
    if (this.#calls !== null) {
      const base = addressNumberIn(bytes, start, end + tagLength - start);
      if (this.#calls.run(Number(context), base, payload - start, end - start)) return true;
      this.#functions.ERR_clear_error();
      return false;
    }
    const { nonceAt, lengthAt } = this.#memory;
    const { EVP_DecryptInit, EVP_DecryptUpdate, EVP_DecryptFinal_ex, EVP_CIPHER_CTX_ctrl } = this.#functions;
    const base = addressIn(bytes, start, end + tagLength - start);
    const body = base + BigInt(payload - start);
    const tag = base + BigInt(end - start);
    EVP_DecryptInit(context, 0n, 0n, nonceAt);
    EVP_CIPHER_CTX_ctrl(context, control.setTag, tagLength, tag);
    EVP_DecryptUpdate(context, 0n, lengthAt, base, payload - start);
    EVP_DecryptUpdate(context, body, lengthAt, body, end - payload);
    // Nothing is written after the payload, because these are stream ciphers.
    if (EVP_DecryptFinal_ex(context, lengthAt, lengthAt) === 1) return true;
    this.#functions.ERR_clear_error();
    return false;
  }

  free(): void {
    this.#context.free();
  }
}

/** Header mask of AES suites (RFC 9001 §5.4.3). */
class AesHeaderMask {
  readonly #context: Handle;
  readonly #list = calls()?.aesMask ?? null;
  readonly #memory: Scratch = scratch();
  readonly #functions = openssl();

  constructor({ aead }: AeadSuite, key: Buffer) {
    this.#context = contextOf(cipherOf(maskNames[aead]), key, { iv: 0n, encrypts: true });
  }

  mask(bytes: Buffer, at: number): Uint8Array {
    const { mask, maskAt } = this.#memory;
    const context = this.#context.address;
    if (this.#list === null) this.#functions.EVP_Cipher(context, maskAt, addressIn(bytes, at, 16), 16);
    else {
      this.#list.argument(0, 0, Number(context));
      this.#list.argument(0, 2, addressNumberIn(bytes, at, 16));
      this.#list.run();
    }
    return mask.bytes;
  }

  free(): void {
    this.#context.free();
  }
}

/**
 * Header mask of ChaCha20 (RFC 9001 §5.4.4): the sample provides the counter and the nonce, and the plaintext is zeros.
 */
class ChaChaHeaderMask {
  readonly #context: Handle;
  readonly #list = calls()?.chaChaMask ?? null;
  readonly #memory: Scratch = scratch();
  readonly #functions = openssl();

  constructor({ aead }: AeadSuite, key: Buffer) {
    this.#context = contextOf(cipherOf(maskNames[aead]), key, { iv: this.#memory.ivAt, encrypts: true });
  }

  mask(bytes: Buffer, at: number): Uint8Array {
    const { mask, maskAt, zerosAt } = this.#memory;
    const context = this.#context.address;
    if (this.#list === null) {
      this.#functions.EVP_EncryptInit(context, 0n, 0n, addressIn(bytes, at, 16));
      this.#functions.EVP_Cipher(context, maskAt, zerosAt, 16);
    } else {
      this.#list.argument(0, 0, Number(context));
      this.#list.argument(0, 3, addressNumberIn(bytes, at, 16));
      this.#list.argument(1, 0, Number(context));
      this.#list.run();
    }
    return mask.bytes;
  }

  free(): void {
    this.#context.free();
  }
}

/** OpenSSL ciphers, implementing `CipherProvider` of `@sluice/quic`. */
export const nativeCiphers = {
  aead: (suite: AeadSuite, key: Buffer, iv: Buffer, direction: 'seal' | 'open'): NativeAead =>
    new NativeAead(suite, key, iv, direction),
  headerMask: (suite: AeadSuite, key: Buffer): AesHeaderMask | ChaChaHeaderMask =>
    suite.aead === 'chacha20-poly1305' ? new ChaChaHeaderMask(suite, key) : new AesHeaderMask(suite, key),
};
