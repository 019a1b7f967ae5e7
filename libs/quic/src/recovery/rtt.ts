/** Round-trip time estimation (RFC 9002 §5). Times are in milliseconds. */

/** Timer granularity in milliseconds (RFC 9002 §6.1.2). */
export const granularity = 1;
const initialRtt = 333;

/** Time threshold of loss detection as a multiple of the round-trip time: the initial value and the maximum (RFC 9002 §6.1.2). */
const minLossFactor = 9 / 8;
const maxLossFactor = 2;

/** Round-trip time estimates of a path. */
export class Rtt {
  latest = 0;
  smoothed: number = initialRtt;
  variation: number = initialRtt / 2;
  min = 0;
  /** True after the first round-trip time sample. */
  sampled = false;
  #lossFactor = minLossFactor;

  /** Adds a sample. `ackDelay` is the delay that the peer reported, limited to its advertised maximum. */
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

  /** Probe timeout, excluding the peer's acknowledgment delay and backoff (RFC 9002 §6.2.1). */
  get probeTimeout(): number {
    return this.smoothed + Math.max(4 * this.variation, granularity);
  }

  /** Raises the time threshold because a packet arrived late, `delay` milliseconds after it was sent. */
  arrivedLate(delay: number): void {
    const needed = delay / Math.max(this.smoothed, granularity);
    this.#lossFactor = Math.min(maxLossFactor, Math.max(this.#lossFactor, needed));
  }

  /** Time after which a packet is declared lost if a later packet was acknowledged (RFC 9002 §6.1.2). */
  get lossDelay(): number {
    return Math.max(this.#lossFactor * Math.max(this.smoothed, this.latest), granularity);
  }
}
