/**
 * Bodies of a few kilobytes through the native part of a zlib stream, at once and again and again. The thread pool costs
 * more than such a body (twice as much, on one processor), and a stream for each one makes a quarter of a megabyte of
 * garbage. Node has no public call for it; where its inner one is missing or other than expected, nothing is done at once.
 */
import type { ReusableStream } from './stream-pool.ts';

/** Longest body that is encoded at once, in bytes: some hundred microseconds of work. */
export const maxAtOnce: number = 48 * 1024;

/** Room for what the longest body becomes when it can't be made smaller. */
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

/** The inner parts of a stream of `node:zlib`. */
interface InnerParts {
  readonly _handle?: Partial<NativeStream> | null;
  /** Room left in the output, and input left over, after a call. */
  readonly _writeState?: Uint32Array;
}

const output = Buffer.allocUnsafeSlow(outputSize);

/** One stream, used by one body after the other. */
export class AtOnce {
  readonly #stream: ReusableStream;
  readonly #finish: number;
  readonly #native: NativeStream | null;
  readonly #state: Uint32Array;
  #failed = false;

  /** `finish` is the operation that ends a body. */
  constructor(stream: ReusableStream, finish: number) {
    const { _handle: native, _writeState: state } = stream as InnerParts;
    this.#stream = stream;
    this.#finish = finish;
    const known = typeof native?.writeSync === 'function' && typeof native.reset === 'function';
    this.#native = known && state instanceof Uint32Array ? (native as NativeStream) : null;
    this.#state = state ?? new Uint32Array(2);
    stream.on('error', () => (this.#failed = true));
  }

  /** The encoded form of a body of at most {@link maxAtOnce} bytes, or `null` if it can't be had at once. */
  encode(body: Buffer): Buffer | null {
    const native = this.#native;
    if (native === null || this.#failed) return null;
    // A call that fails leaves this as it is, and tells of it later.
    this.#state[1] = 1;
    native.writeSync(this.#finish, body, 0, body.length, output, 0, outputSize);
    const [room = 0, left = 0] = this.#state;
    native.reset();
    // A full output may not be all of it.
    if (this.#failed || left > 0 || room === 0) return null;
    return Buffer.from(output.subarray(0, outputSize - room));
  }

  close(): void {
    this.#stream.destroy();
  }
}
