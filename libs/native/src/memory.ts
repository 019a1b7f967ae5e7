/** Memory that C reads and writes. */
import { rawAddress } from './library.ts';

/**
 * A block of memory that does not move. C may keep an address of it only for as long as JavaScript holds the block: whoever hands
 * one out keeps it in a field, or pins it.
 */
export class Block {
  readonly bytes: Buffer;
  readonly #address: bigint;

  constructor(size: number) {
    // Below 64 bytes an array could lie in the heap of JavaScript, where it moves.
    // Zeroed by the system, so that pages of large blocks take no memory before they are used.
    this.bytes = Buffer.alloc(Math.max(size, 128));
    this.#address = rawAddress(this.bytes);
  }

  /** Keeps the block for the life of the process. */
  pin(): this {
    pinned.push(this);
    return this;
  }

  /** The address of a byte, where `length` bytes may be used. Throws beyond the end. */
  at(offset: number, length: number): bigint {
    if (offset < 0 || length < 0 || offset + length > this.bytes.length)
      throw new RangeError(`bytes ${offset} to ${offset + length} of a block of ${this.bytes.length}`);
    return this.#address + BigInt(offset);
  }
}

const pinned: Block[] = [];
const addresses = new WeakMap<ArrayBufferLike, bigint>();
let lastBuffer: ArrayBufferLike | null = null;
let lastAddress = 0n;

/**
 * The address of `length` bytes of a buffer from `offset` on, for one call: C must not keep it. Throws beyond the end.
 */
export function addressIn(buffer: Buffer, offset: number, length: number): bigint {
  if (offset < 0 || length < 0 || offset + length > buffer.length)
    throw new RangeError(`bytes ${offset} to ${offset + length} of a buffer of ${buffer.length}`);
  const memory = buffer.buffer;
  if (memory !== lastBuffer) {
    let known = addresses.get(memory);
    if (known === undefined) {
      known = rawAddress(new Uint8Array(memory));
      addresses.set(memory, known);
    }
    lastBuffer = memory;
    lastAddress = known;
  }
  return lastAddress + BigInt(buffer.byteOffset + offset);
}
