/** Memory that C functions read and write. */
import { rawAddress } from './library.ts';

/**
 * The memory whose addresses were taken last. Optimized code releases a local variable after its last use in JavaScript. The garbage
 * collector could therefore free memory whose address is already an argument of a call to C. These references prevent that.
 */
const recent: (Block | ArrayBufferLike | null)[] = Array.from({ length: 16 }, () => null);
let nextRecent = 0;

function holdUntilCalled(memory: Block | ArrayBufferLike): void {
  recent[nextRecent] = memory;
  nextRecent = (nextRecent + 1) % recent.length;
}

/**
 * A memory block with a stable address. C may use the address during the next call. If C keeps the address, the caller must store or pin
 * the block.
 */
export class Block {
  readonly bytes: Buffer;
  readonly #address: bigint;

  constructor(size: number) {
    // Allocate at least 128 bytes. Arrays below 64 bytes may be in the JavaScript heap, where they can be moved. The system zeroes the
    // memory, so pages of large blocks are committed on first use.
    this.bytes = Buffer.alloc(Math.max(size, 128));
    this.#address = rawAddress(this.bytes);
  }

  /** Keeps the block allocated for the lifetime of the process. */
  pin(): this {
    pinned.push(this);
    return this;
  }

  /** Returns the address of `length` bytes at an offset. Throws a `RangeError` if the range exceeds the block. */
  at(offset: number, length: number): bigint {
    if (offset < 0 || length < 0 || offset + length > this.bytes.length)
      throw new RangeError(`bytes ${offset} to ${offset + length} exceed a memory block of ${this.bytes.length} bytes`);
    holdUntilCalled(this);
    return this.#address + BigInt(offset);
  }
}

const pinned: Block[] = [];
const addresses = new WeakMap<ArrayBufferLike, bigint>();
let lastBuffer: ArrayBufferLike | null = null;
let lastAddress = 0n;
let lastNumber = 0;

/**
 * Converts an address to a number. Addresses have at most 48 bits on current systems. Throws if a number can't represent the address
 * exactly.
 */
export function addressNumber(address: bigint): number {
  const number = Number(address);
  if (!Number.isSafeInteger(number)) throw new RangeError('a memory address has more than 53 bits');
  return number;
}

/**
 * Returns the address of `length` bytes in a buffer. The address is valid for one call, so C must not keep it. Throws a `RangeError` if the
 * range exceeds the buffer.
 */
export function addressIn(buffer: Buffer, offset: number, length: number): bigint {
  locate(buffer, offset, length);
  return lastAddress + BigInt(buffer.byteOffset + offset);
}

/** Returns the same address as {@link addressIn}, but as a number, for call lists. */
export function addressNumberIn(buffer: Buffer, offset: number, length: number): number {
  locate(buffer, offset, length);
  return lastNumber + buffer.byteOffset + offset;
}

function locate(buffer: Buffer, offset: number, length: number): void {
  if (offset < 0 || length < 0 || offset + length > buffer.length)
    throw new RangeError(`bytes ${offset} to ${offset + length} exceed a buffer of ${buffer.length} bytes`);
  const memory = buffer.buffer;
  if (memory === lastBuffer) return;
  let known = addresses.get(memory);
  if (known === undefined) {
    known = rawAddress(new Uint8Array(memory));
    addresses.set(memory, known);
  }
  holdUntilCalled(memory);
  lastBuffer = memory;
  lastAddress = known;
  lastNumber = addressNumber(known);
}
