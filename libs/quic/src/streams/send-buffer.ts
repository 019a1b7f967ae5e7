/** Send buffer for streams and CRYPTO data. Keeps bytes until they are acknowledged. */
import { itemAt } from '@sluice/base';
import { RangeSet } from '../wire/range-set.ts';
import type { ByteWriter } from '../wire/byte-writer.ts';

interface Piece {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** Offsets are relative to the first byte ever written. */
export class SendBuffer {
  /** Ascending, without gaps. The first may be partially acknowledged. */
  readonly #pieces: Piece[] = [];
  /** Acknowledged bytes beyond {@link #ackedTo}; `null` until acknowledgments arrive out of order. */
  #acked: RangeSet | null = null;
  /** All bytes before this offset are acknowledged. */
  #ackedTo = 0;
  /** Lost bytes to retransmit. `null` before the first loss. */
  #lost: RangeSet | null = null;
  /** Number of written bytes. */
  written = 0;
  /** Number of bytes sent at least once. */
  sent = 0;

  /** Number of unacknowledged bytes. */
  get kept(): number {
    return this.written - this.#ackedTo;
  }

  /** Reports whether all written bytes are acknowledged. */
  get done(): boolean {
    return this.#ackedTo === this.written;
  }

  get hasLost(): boolean {
    return this.#lost !== null && this.#lost.size > 0;
  }

  /** Offset of the next byte to send. Lost bytes come first. */
  get next(): number {
    return this.#lost !== null && this.#lost.size > 0 ? this.#lost.low(0) : this.sent;
  }

  /** Number of contiguous bytes available at {@link next}. */
  get available(): number {
    const lost = this.#lost;
    return lost !== null && lost.size > 0 ? lost.high(0) - lost.low(0) + 1 : this.written - this.sent;
  }

  /** Appends bytes. The bytes must not change until they are acknowledged. */
  write(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pieces.push({ offset: this.written, bytes });
    this.written += bytes.length;
  }

  /** Writes `length` bytes from {@link next} and marks them as sent. */
  send(writer: ByteWriter, length: number): void {
    const from = this.next;
    const end = from + length;
    this.#copy(writer, from, end);
    if (from < this.sent) this.#lost?.remove(from, end - 1);
    if (end > this.sent) this.sent = end;
  }

  #copy(writer: ByteWriter, from: number, end: number): void {
    const pieces = this.#pieces;
    let index = this.#indexOf(from);
    while (from < end) {
      const piece = pieces[index++];
      if (piece === undefined) throw new Error('bytes to send were already released');
      const start = from - piece.offset;
      const stop = Math.min(piece.bytes.length, end - piece.offset);
      writer.copy(piece.bytes, start, stop);
      from = piece.offset + stop;
    }
  }

  /** Returns the index of the chunk that contains `offset`. */
  #indexOf(offset: number): number {
    const pieces = this.#pieces;
    let low = 0;
    let high = pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (itemAt(pieces, middle).offset <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Handles an acknowledgment of `offset..offset+length`. */
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
    const pieces = this.#pieces;
    let gone = 0;
    while (gone < pieces.length) {
      const piece = itemAt(pieces, gone);
      if (piece.offset + piece.bytes.length > this.#ackedTo) break;
      gone += 1;
    }
    if (gone > 0) pieces.splice(0, gone);
  }

  #joinAcked(): void {
    const acked = this.#acked;
    if (acked === null) return;
    while (acked.size > 0 && acked.low(0) <= this.#ackedTo) {
      this.#ackedTo = Math.max(this.#ackedTo, acked.high(0) + 1);
      acked.remove(acked.low(0), acked.high(0));
    }
  }

  /** Handles the loss of `offset..offset+length`: bytes not acknowledged otherwise are retransmitted. */
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
    this.#pieces.length = 0;
    this.#lost = null;
    this.#acked = null;
    this.#ackedTo = this.sent = this.written;
  }
}
