/** Bytes to send in order, kept until they are acknowledged: the sending side of streams and of CRYPTO data. */
import { RangeSet } from '../wire/range-set.ts';
import type { ByteWriter } from '../wire/byte-writer.ts';

interface Piece {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** Offsets count from the first byte that was ever written. */
export class SendBuffer {
  /** Ascending, without gaps; the first may be acknowledged in part. */
  readonly #pieces: Piece[] = [];
  /** Acknowledged bytes beyond {@link #ackedTo}. `null` until packets arrive out of order. */
  #acked: RangeSet | null = null;
  /** All bytes before it are acknowledged. */
  #ackedTo = 0;
  /** Lost bytes that are to be sent again. `null` until a packet is lost. */
  #lost: RangeSet | null = null;
  /** End of what was written. */
  written = 0;
  /** End of what was sent at least once. */
  sent = 0;

  /** Bytes that are kept: written and not yet acknowledged. */
  get kept(): number {
    return this.written - this.#ackedTo;
  }

  /** Everything that was written is acknowledged. */
  get done(): boolean {
    return this.#ackedTo === this.written;
  }

  get hasLost(): boolean {
    return this.#lost !== null && this.#lost.size > 0;
  }

  /** Offset of the next byte to send: lost ones come first. */
  get next(): number {
    return this.#lost !== null && this.#lost.size > 0 ? this.#lost.low(0) : this.sent;
  }

  /** Bytes that can be sent from {@link next} in one piece. */
  get available(): number {
    const lost = this.#lost;
    return lost !== null && lost.size > 0 ? lost.high(0) - lost.low(0) + 1 : this.written - this.sent;
  }

  /** Appends bytes. They must not change until they are acknowledged. */
  write(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pieces.push({ offset: this.written, bytes });
    this.written += bytes.length;
  }

  /** Copies `length` bytes from {@link next} to `writer`, and counts them as sent. */
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

  /** The piece that has the byte at `offset`. */
  #indexOf(offset: number): number {
    const pieces = this.#pieces;
    let low = 0;
    let high = pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((pieces[middle] as Piece).offset <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** `offset..offset+length` has arrived. */
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
      const piece = pieces[gone] as Piece;
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

  /** `offset..offset+length` was lost: what is not acknowledged of it is sent again. */
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

  /** Forgets everything: nothing is sent again. */
  drop(): void {
    this.#pieces.length = 0;
    this.#lost = null;
    this.#acked = null;
    this.#ackedTo = this.sent = this.written;
  }
}
