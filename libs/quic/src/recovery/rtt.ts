/** Estimates of the round-trip time (RFC 9002 §5). All times in milliseconds. */

/** Timers finer than this are not reliable (RFC 9002 §6.1.2). */
export const granularity = 1;
const initialRtt = 333;

/** The estimates of one path. */
export class Rtt {
  latest = 0;
  smoothed: number = initialRtt;
  variation: number = initialRtt / 2;
  min = 0;
  /** Whether there was a sample. */
  sampled = false;

  /** Takes a sample. `ackDelay` was spent by the peer, as it says, bounded by what it promised. */
  add(sample: number, ackDelay: number): void {
    this.latest = sample;
    if (!this.sampled) {
      this.sampled = true;
      this.min = sample;
      this.smoothed = sample;
      this.variation = sample / 2;
      return;
    }
    this.min = Math.min(this.min, sample);
    const adjusted = sample >= this.min + ackDelay ? sample - ackDelay : sample;
    this.variation += (Math.abs(this.smoothed - adjusted) - this.variation) / 4;
    this.smoothed += (adjusted - this.smoothed) / 8;
  }

  /** The probe timeout, without the peer's delay and without backoff (RFC 9002 §6.2.1). */
  get probeTimeout(): number {
    return this.smoothed + Math.max(4 * this.variation, granularity);
  }

  /** How much later than its successors a packet may be before it is lost (RFC 9002 §6.1.2). */
  get lossDelay(): number {
    return Math.max((9 / 8) * Math.max(this.smoothed, this.latest), granularity);
  }
}
