/** Send buffer for streams and CRYPTO data. Keeps bytes until they are acknowledged. */
import { itemAt } from '@sluice/base';
import { RangeSet } from '../wire/range-set.ts';
import type { ByteWriter } from '../wire/byte-writer.ts';

/** A memory chunk for written bytes. Only one stream uses a chunk at a time. */
interface Chunk {
  readonly memory: Buffer;
  /** Stream offset of the chunk's first byte. */
  offset: number;
  length: number;
}

/**
 * Chunk sizes in bytes. A small response occupies a small chunk until it is acknowledged. Chunks are reused. Otherwise, memory outside the
 * JavaScript heap would cause a full garbage collection for every few dozen megabytes sent.
 */
const sizes = { small: 1024, large: 16_384 } as const;
/** Maximum number of unused chunks to keep per thread. */
const maxUnused = { small: 4096, large: 1024 } as const;
const unused: Readonly<Record<keyof typeof sizes, Chunk[]>> = { small: [], large: [] };

function takeChunk(bytes: number): Chunk {
  const kind = bytes < sizes.small ? 'small' : 'large';
  return unused[kind].pop() ?? { memory: Buffer.allocUnsafeSlow(sizes[kind]), offset: 0, length: 0 };
}

function release(chunk: Chunk): void {
  const kind = chunk.memory.length === sizes.small ? 'small' : 'large';
  if (unused[kind].length < maxUnused[kind]) unused[kind].push(chunk);
}

/** Send buffer of a stream. Offsets are relative to the first byte ever written. */
export class SendBuffer {
  /** Chunks in ascending order without gaps. The first may be partially acknowledged, and the last may have free space. */
  readonly #chunks: Chunk[] = [];
  /** Acknowledged bytes beyond {@link #ackedTo}. `null` until acknowledgments arrive out of order. */
  #acked: RangeSet | null = null;
  /** Offset before which all bytes have been acknowledged. */
  #ackedTo = 0;
  /** Lost bytes to retransmit; `null` before the first loss. */
  #lost: RangeSet | null = null;
  /** Total number of written bytes. */
  written = 0;
  /** Number of bytes that were sent at least once. */
  sent = 0;

  /** Number of unacknowledged bytes. */
  get kept(): number {
    return this.written - this.#ackedTo;
  }

  /** True if all written bytes have been acknowledged. */
  get done(): boolean {
    return this.#ackedTo === this.written;
  }

  get hasLost(): boolean {
    return this.#lost !== null && this.#lost.size > 0;
  }

  /** Offset of the next byte to send. Lost bytes are sent first. */
  get next(): number {
    return this.#lost !== null && this.#lost.size > 0 ? this.#lost.low(0) : this.sent;
  }

  /** Number of contiguous bytes available at {@link next}. */
  get available(): number {
    const lost = this.#lost;
    return lost !== null && lost.size > 0 ? lost.high(0) - lost.low(0) + 1 : this.written - this.sent;
  }

  /** Appends a copy of `bytes`. */
  write(bytes: Buffer): void {
    let last = this.#chunks.at(-1);
    for (let from = 0; from < bytes.length;) {
      if (last === undefined || last.length === last.memory.length) {
        last = takeChunk(bytes.length - from);
        last.offset = this.written;
        last.length = 0;
        this.#chunks.push(last);
      }
      const size = Math.min(bytes.length - from, last.memory.length - last.length);
      bytes.copy(last.memory, last.length, from, from + size);
      last.length += size;
      this.written += size;
      from += size;
    }
  }

  /** Writes `length` bytes starting at {@link next}, and marks them as sent. */
  send(writer: ByteWriter, length: number): void {
    const from = this.next;
    const end = from + length;
    this.#copy(writer, from, end);
    if (from < this.sent) this.#lost?.remove(from, end - 1);
    if (end > this.sent) this.sent = end;
  }

  #copy(writer: ByteWriter, from: number, end: number): void {
    const chunks = this.#chunks;
    let index = this.#indexOf(from);
    while (from < end) {
      const chunk = chunks[index++];
      if (chunk === undefined) throw new Error('the send buffer was already released');
      const start = from - chunk.offset;
      const stop = Math.min(chunk.length, end - chunk.offset);
      writer.copy(chunk.memory, start, stop);
      from = chunk.offset + stop;
    }
  }

  /** Returns the index of the chunk that contains `offset`. */
  #indexOf(offset: number): number {
    const chunks = this.#chunks;
    let low = 0;
    let high = chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (itemAt(chunks, middle).offset <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Handles the acknowledgment of `length` bytes at `offset`. */
  acked(offset: number, length: number): void {
    if (length === 0) return;
    const end = offset + length;
    if (end <= this.#ackedTo) return;
    if (this.#lost !== null) this.#lost.remove(offset, end - 1);
    if (offset > this.#ackedTo) {
      this.#acked ??= new RangeSet();
      this.#acked.add(offset, end - 1);
      return;
    }
    this.#ackedTo = end;
    this.#joinAcked();
    const chunks = this.#chunks;
    let count = 0;
    while (count < chunks.length) {
      const chunk = itemAt(chunks, count);
      if (chunk.offset + chunk.length > this.#ackedTo) break;
      release(chunk);
      count += 1;
    }
    if (count > 0) chunks.splice(0, count);
  }

  #joinAcked(): void {
    const acked = this.#acked;
    if (acked === null) return;
    while (acked.size > 0 && acked.low(0) <= this.#ackedTo) {
      this.#ackedTo = Math.max(this.#ackedTo, acked.high(0) + 1);
      acked.remove(acked.low(0), acked.high(0));
    }
  }

  /** Handles the loss of `length` bytes at `offset`. Retransmits bytes that have not been acknowledged in another packet. */
  lost(offset: number, length: number): void {
    const low = Math.max(offset, this.#ackedTo);
    const end = offset + length;
    if (low >= end) return;
    this.#lost ??= new RangeSet();
    this.#lost.add(low, end - 1);
    const acked = this.#acked;
    if (acked === null) return;
    for (let i = 0; i < acked.size; i++) this.#lost.remove(acked.low(i), acked.high(i));
  }

  drop(): void {
    for (const chunk of this.#chunks) release(chunk);
    this.#chunks.length = 0;
    this.#lost = null;
    this.#acked = null;
    this.#ackedTo = this.sent = this.written;
  }
}
