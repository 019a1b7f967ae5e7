/**
 * Encodes small bodies synchronously with the native handle of a zlib stream, which is reused. The thread pool would cost more than
 * encoding such a body, and a new stream would allocate a quarter of a megabyte. Node has no public API for this. If Node's internals are
 * different, nothing is encoded synchronously.
 */
import type { ReusableStream } from './stream-pool.ts';

/** Maximum size of a body to encode synchronously, in bytes. Encoding such a body takes several hundred microseconds. */
export const maxAtOnce: number = 48 * 1024;

/** Size of the output buffer. It has room for an incompressible body of maximum size. */
const outputSize = maxAtOnce + 4096;

interface NativeStream {
  writeSync(
    flush: number,
    input: Buffer,
    inputOffset: number,
    inputLength: number,
    output: Buffer,
    outputOffset: number,
    outputLength: number,
  ): void;
  reset(): void;
}

/** Internal properties of a `node:zlib` stream that this file uses. */
interface InnerParts {
  readonly _handle?: Partial<NativeStream> | null;
  /** Remaining output space and remaining input size after a call of the native handle. */
  readonly _writeState?: Uint32Array;
}

const output = Buffer.allocUnsafeSlow(outputSize);

/** Encoder that reuses one stream for successive bodies. */
export class AtOnce {
  readonly #stream: ReusableStream;
  readonly #finish: number;
  readonly #native: NativeStream | null;
  readonly #state: Uint32Array;
  #failed = false;

  /** `finish` is the flush operation that marks the end of a body. */
  constructor(stream: ReusableStream, finish: number) {
    const { _handle: native, _writeState: state } = stream as InnerParts;
    this.#stream = stream;
    this.#finish = finish;
    const known = typeof native?.writeSync === 'function' && typeof native.reset === 'function';
    this.#native = known && state instanceof Uint32Array ? (native as NativeStream) : null;
    this.#state = state ?? new Uint32Array(2);
    stream.on('error', () => (this.#failed = true));
  }

  /** Encodes a body of at most {@link maxAtOnce} bytes. Returns `null` if the body can't be encoded synchronously. */
  encode(body: Buffer): Buffer | null {
    const native = this.#native;
    if (native === null || this.#failed) return null;
    // Set a nonzero value first. A failed call does not overwrite it.
    this.#state[1] = 1;
    native.writeSync(this.#finish, body, 0, body.length, output, 0, outputSize);
    const [room = 0, left = 0] = this.#state;
    native.reset();
    // If the output buffer is full, some output may be missing.
    if (this.#failed || left > 0 || room === 0) return null;
    return Buffer.from(output.subarray(0, outputSize - room));
  }

  close(): void {
    this.#stream.destroy();
  }
}
