/**
 * CUBIC congestion control (RFC 9438) with HyStart++ (RFC 9406), as in the TCP of common operating systems. Sizes are in bytes and times in
 * milliseconds.
 */
import type { Rtt } from './rtt.ts';

const beta = 0.7;
const cubicC = 0.4;
/** Constants of HyStart++ (RFC 9406 §4.3). */
const hystart = { minSamples: 8, minThreshold: 4, maxThreshold: 16, growthDivisor: 4, rounds: 5 } as const;

export class Congestion {
  window: number;
  inFlight = 0;
  #threshold = Number.POSITIVE_INFINITY;
  /** Start of the last recovery period. Losses of packets that were sent before this time don't reduce the window again. */
  #recoveryStart = Number.NEGATIVE_INFINITY;
  #datagram: number;
  /** State before the last reduction, so that the reduction can be undone. `null` if the reduction is known to be justified. */
  #before: { readonly window: number; readonly threshold: number; readonly maxWindow: number } | null = null;
  /** Number of packets that were declared lost in the last reduction and have not arrived late. */
  #missing = 0;
  // CUBIC state: window before the last reduction, and parameters of the current curve.
  #maxWindow = 0;
  #epochStart = -1;
  #k = 0;
  #renoWindow = 0;
  // HyStart++ state. The current round ends when a packet that was sent in this round is acknowledged.
  #roundEnd = 0;
  #roundMin = Number.POSITIVE_INFINITY;
  #lastRoundMin = Number.POSITIVE_INFINITY;
  #samples = 0;
  #conservativeRounds = 0;
  #baseline = Number.POSITIVE_INFINITY;

  /** `datagram` is the maximum datagram size on the path. */
  constructor(datagram: number) {
    this.#datagram = datagram;
    // Initial window from RFC 9002 §7.2.
    this.window = Math.min(10 * datagram, Math.max(2 * datagram, 14720));
  }

  set datagram(size: number) {
    this.#datagram = size;
    this.window = Math.max(this.window, 2 * size);
  }

  get inSlowStart(): boolean {
    return this.window < this.#threshold;
  }

  /** Number of bytes that the congestion window currently allows to be sent. */
  get room(): number {
    return this.window - this.inFlight;
  }

  /** Handles the acknowledgment of `size` bytes that were sent at `sentAt`. `limited` is true if the window limited sending. */
  onAcked(size: number, sentAt: number, { now, rtt, limited }: { now: number; rtt: Rtt; limited: boolean }): void {
    if (sentAt <= this.#recoveryStart || !limited) return;
    if (this.inSlowStart) this.window += this.#conservativeRounds > 0 ? size / hystart.growthDivisor : size;
    else this.#grow(size, now, rtt);
  }

  /** Detects the end of a round. A round ends when a packet that was sent after its start is acknowledged. `next` is the next packet number. */
  onRound(acked: number, next: number, rtt: Rtt): void {
    if (!this.inSlowStart || !rtt.sampled) return;
    this.#roundMin = Math.min(this.#roundMin, rtt.latest);
    this.#samples += 1;
    this.#seeDelay();
    if (acked < this.#roundEnd) return;
    this.#roundEnd = next;
    this.#lastRoundMin = this.#roundMin;
    this.#roundMin = Number.POSITIVE_INFINITY;
    this.#samples = 0;
    if (this.#conservativeRounds === 0) return;
    this.#conservativeRounds -= 1;
    if (this.#conservativeRounds === 0) this.#threshold = this.window;
  }

  /** Leaves slow start if the delay of a round increases. An increasing delay means that the bottleneck queue is filling (RFC 9406 §4.2). */
  #seeDelay(): void {
    if (this.#samples < hystart.minSamples || this.#lastRoundMin === Number.POSITIVE_INFINITY) return;
    if (this.#conservativeRounds > 0) {
      // The delay has decreased again, so jitter caused the increase.
      if (this.#roundMin < this.#baseline) {
        this.#conservativeRounds = 0;
        this.#baseline = Number.POSITIVE_INFINITY;
      }
      return;
    }
    const threshold = Math.max(hystart.minThreshold, Math.min(this.#lastRoundMin / 8, hystart.maxThreshold));
    if (this.#roundMin < this.#lastRoundMin + threshold) return;
    this.#baseline = this.#roundMin;
    this.#conservativeRounds = hystart.rounds;
  }

  #grow(size: number, now: number, rtt: Rtt): void {
    const datagram = this.#datagram;
    if (this.#epochStart < 0) {
      this.#epochStart = now;
      this.#renoWindow = this.window;
      const below = Math.max(0, this.#maxWindow - this.window) / datagram;
      this.#k = Math.cbrt(below / cubicC);
      if (this.#maxWindow < this.window) this.#maxWindow = this.window;
    }
    const time = (now - this.#epochStart + rtt.smoothed) / 1000;
    const cubic = cubicC * (time - this.#k) ** 3 * datagram + this.#maxWindow;
    const target = Math.max(this.window, Math.min(cubic, 1.5 * this.window));
    // Grow at least as fast as Reno, by one datagram per round trip. RFC 9438 §4.3 specifies 0.53 datagrams until the window regains its
    // size before the last reduction, because CUBIC's reductions are smaller than Reno's. Other QUIC implementations grow by one datagram,
    // so they would get a larger share of the path. With 0.53, a transfer with 20 % loss takes 1.4 times as long.
    this.#renoWindow += (datagram * size) / this.window;
    const growth = (target - this.window) * (size / this.window);
    this.window = Math.max(this.window + growth, this.#renoWindow);
  }

  /**
   * Reduces the window because a packet sent at `sentAt` was lost or marked by ECN. Reduces it at most once per round trip. `lost` is the
   * number of lost packets; 0 for an ECN mark.
   */
  onCongestion(sentAt: number, now: number, lost: number): void {
    if (sentAt <= this.#recoveryStart) {
      this.#missing += lost;
      return;
    }
    this.#recoveryStart = now;
    this.#before = lost > 0 ? { window: this.window, threshold: this.#threshold, maxWindow: this.#maxWindow } : null;
    this.#missing = lost;
    this.#epochStart = -1;
    // Fast convergence: if a flow loses packets before it has regained its share, it releases bandwidth (RFC 9438 §4.7).
    this.#maxWindow = this.window < this.#maxWindow ? (this.window * (1 + beta)) / 2 : this.window;
    this.window = Math.max(this.window * beta, 2 * this.#datagram);
    this.#threshold = this.window;
    this.#conservativeRounds = 0;
  }

  /**
   * Handles the late arrival of a packet that was sent at `sentAt` and declared lost. If all such packets have arrived, the only cause of
   * the reduction was reordering.
   */
  onSpuriousLoss(sentAt: number): void {
    const before = this.#before;
    if (before === null || sentAt > this.#recoveryStart) return;
    this.#missing -= 1;
    if (this.#missing > 0) return;
    this.#before = null;
    this.window = Math.max(this.window, before.window);
    this.#threshold = before.threshold;
    this.#maxWindow = before.maxWindow;
    this.#epochStart = -1;
  }

  /** Handles persistent congestion (RFC 9002 §7.6). */
  onPersistentCongestion(): void {
    this.#before = null;
    this.window = 2 * this.#datagram;
    this.#recoveryStart = Number.NEGATIVE_INFINITY;
    this.#epochStart = -1;
  }
}
