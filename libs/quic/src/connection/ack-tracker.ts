/** Tracks received QUIC packets and schedules acknowledgments (RFC 9000 §13.2). */
import type { ByteWriter } from '../wire/byte-writer.ts';
import { frameType } from '../wire/frame-type.ts';
import { RangeSet } from '../wire/range-set.ts';

/** Maximum number of ranges in an ACK frame. */
const maxRanges = 32;
/** An acknowledgment is sent after this many ack-eliciting packets (RFC 9000 §13.2.2). */
const packetsPerAck = 2;
/** `ack_delay_exponent` that Sluice advertises. It is equal to the default. */
const delayExponent = 3;

/** ECN codepoints of received datagrams (RFC 3168 §5). */
export const ecn = { notEct: 0, ect1: 1, ect0: 2, ce: 3 } as const;

/** Received packets of one packet number space. */
export class AckTracker {
  readonly #ranges = new RangeSet(maxRanges);
  readonly #maxDelay: number;
  /** All packets up to this packet number count as received, because their ranges were dropped. */
  #floor = -1;
  #largestAt = 0;
  #unacknowledged = 0;
  /** Time when an acknowledgment is due, in milliseconds; `Infinity` if none is due. */
  deadline: number = Number.POSITIVE_INFINITY;
  #ect0 = 0;
  #ect1 = 0;
  #ce = 0;

  /** `maxDelay` is the advertised `max_ack_delay` in milliseconds. It is 0 during the handshake. */
  constructor(maxDelay: number) {
    this.#maxDelay = maxDelay;
  }

  /** Largest received packet number; -1 if no packet was received. */
  get largest(): number {
    return Math.max(this.#ranges.max, this.#floor);
  }

  /** True if an ACK frame could be sent, even if no acknowledgment is due. */
  get pending(): boolean {
    return this.deadline !== Number.POSITIVE_INFINITY;
  }

  isDuplicate(number: number): boolean {
    return number <= this.#floor || this.#ranges.has(number);
  }

  /** Records a received packet after its frames have been processed. */
  received(number: number, ackEliciting: boolean, { now, codepoint }: { now: number; codepoint: number }): void {
    const { largest } = this;
    if (this.#ranges.size === maxRanges) this.#floor = Math.max(this.#floor, this.#ranges.high(0));
    this.#ranges.add(number);
    if (number > largest) this.#largestAt = now;
    if (codepoint === ecn.ect0) this.#ect0 += 1;
    else if (codepoint === ecn.ect1) this.#ect1 += 1;
    else if (codepoint === ecn.ce) this.#ce += 1;
    if (!ackEliciting) return;
    this.#unacknowledged += 1;
    const inOrder = number === largest + 1;
    const isDue = this.#unacknowledged >= packetsPerAck || !inOrder || codepoint === ecn.ce || this.#maxDelay === 0;
    this.deadline = Math.min(this.deadline, isDue ? now : now + this.#maxDelay);
  }

  /** Maximum size of the next ACK frame, in bytes. */
  get frameSize(): number {
    return 1 + 8 + 4 + 2 + 8 + 16 * (this.#ranges.size - 1) + (this.#hasEcn ? 24 : 0);
  }

  get #hasEcn(): boolean {
    return this.#ect0 + this.#ect1 + this.#ce > 0;
  }

  /** Writes an ACK frame of at most `room` bytes. Returns the largest packet number that it reports, or -1 if the frame doesn't fit. */
  write(writer: ByteWriter, room: number, now: number): number {
    const ranges = this.#ranges;
    const fixed = 24 + (this.#hasEcn ? 24 : 0);
    const last = ranges.size - 1;
    if (last < 0 || room < fixed) return -1;
    const count = Math.min(last, Math.floor((room - fixed) / 16));
    const largest = ranges.high(last);
    writer.uint8(this.#hasEcn ? frameType.ackEcn : frameType.ack);
    writer.varint(largest);
    writer.varint(Math.max(0, Math.round(((now - this.#largestAt) * 1000) / 2 ** delayExponent)));
    writer.varint(count);
    writer.varint(largest - ranges.low(last));
    for (let i = last - 1; i >= last - count; i--) {
      writer.varint(ranges.low(i + 1) - ranges.high(i) - 2);
      writer.varint(ranges.high(i) - ranges.low(i));
    }
    if (this.#hasEcn) {
      writer.varint(this.#ect0);
      writer.varint(this.#ect1);
      writer.varint(this.#ce);
    }
    this.#unacknowledged = 0;
    this.deadline = Number.POSITIVE_INFINITY;
    return largest;
  }

  /** Stops reporting older packets, because the peer has received an acknowledgment up to `number` (RFC 9000 §13.2.4). */
  reported(number: number): void {
    const ranges = this.#ranges;
    // Keep the newest range, because later packets extend it.
    while (ranges.size > 1 && ranges.high(0) <= number) {
      this.#floor = Math.max(this.#floor, ranges.high(0));
      ranges.remove(ranges.low(0), ranges.high(0));
    }
  }
}
