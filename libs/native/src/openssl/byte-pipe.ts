/**
 * A pair of OpenSSL BIOs through which all TLS sessions of a thread exchange encrypted bytes with their sockets.
 *
 * Sessions can share the pair, because a session consumes all of its input, and its output is sent or copied before another session runs. Until
 * then, output may stay in the pair while a read is processed.
 */
import { copyOf } from '../library.ts';
import { addressIn, Block } from '../memory.ts';
import { opensslError } from './functions.ts';
import { streamFunctions } from './stream-functions.ts';

const inputSize = 128 * 1024;
const outputSize = 160 * 1024;
const resetCommand = 1;

export class BytePipe {
  /** BIO from which OpenSSL reads and to which it writes. */
  readonly inner: bigint;
  readonly #outer: bigint;
  readonly #place = new Block(16).pin();
  readonly #pointer: bigint;
  readonly #pointers: BigUint64Array;

  constructor() {
    const { BIO_new_bio_pair } = streamFunctions();
    const { bytes } = this.#place;
    this.#pointer = this.#place.at(0, 8);
    this.#pointers = new BigUint64Array(bytes.buffer, bytes.byteOffset, 2);
    if (BIO_new_bio_pair(this.#pointer, BigInt(outputSize), this.#place.at(8, 8), BigInt(inputSize)) !== 1)
      throw opensslError('cannot create a BIO pair');
    this.inner = this.#pointers[0] as bigint;
    this.#outer = this.#pointers[1] as bigint;
  }

  /** Makes encrypted bytes available to OpenSSL as input. */
  feed(bytes: Buffer, from: number, end: number): void {
    const written = streamFunctions().BIO_write(this.#outer, addressIn(bytes, from, end - from), end - from);
    if (written === end - from) return;
    this.discardInput();
    throw new Error('the ciphertext buffer is full');
  }

  /** Writes all output to a non-blocking file descriptor. Returns a copy of the bytes that the descriptor did not accept. */
  sendTo(descriptor: number): Buffer | null {
    const { BIO_nread0, BIO_nread, write } = streamFunctions();
    for (;;) {
      const size = BIO_nread0(this.#outer, this.#pointer);
      if (size <= 0) return null;
      const from = this.#pointers[0] as bigint;
      const sent = descriptor < 0 ? 0 : Math.max(0, write(descriptor, from, BigInt(size)));
      BIO_nread(this.#outer, this.#pointer, sent);
      if (sent < size) return this.take();
    }
  }

  /** Returns a copy of all output. */
  take(): Buffer {
    const { BIO_nread0, BIO_nread } = streamFunctions();
    const parts: Buffer[] = [];
    for (;;) {
      const size = BIO_nread0(this.#outer, this.#pointer);
      if (size <= 0) break;
      parts.push(copyOf(this.#pointers[0] as bigint, size));
      BIO_nread(this.#outer, this.#pointer, size);
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  /** True if a session has not consumed all of its input. */
  get hasInput(): boolean {
    return streamFunctions().BIO_ctrl_pending(this.inner) > 0;
  }

  /** Discards the input that a failed session did not consume. */
  discardInput(): void {
    streamFunctions().BIO_ctrl(this.#outer, resetCommand, 0n, 0n);
  }
}

let pipe: BytePipe | null = null;

/** Returns the BIO pair of this thread. */
export function bytePipe(): BytePipe {
  return (pipe ??= new BytePipe());
}
