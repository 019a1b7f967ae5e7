/** Spreads packets over a round trip (RFC 9002 §7.7), in bursts that one system call can send. */
import type { Congestion } from './congestion.ts';
import type { Rtt } from './rtt.ts';

/** A little faster than the window allows, so that it is used up. */
const gain = 1.25;
/** The resolution of timers of the event loop, in milliseconds. */
const tick = 1;
/** Datagrams that may leave at once after a pause. */
const minBurst = 10;

/** A bucket that fills at the rate of the path. */
export class Pacer {
  #credit = Number.POSITIVE_INFINITY;
  #filledAt = 0;

  /** Bytes that may leave at `now`. */
  credit(now: number, congestion: Congestion, rtt: Rtt, datagram: number): number {
    if (!rtt.sampled) return congestion.room;
    const rate = (gain * congestion.window * (congestion.inSlowStart ? 1.6 : 1)) / Math.max(rtt.smoothed, 0.1);
    const burst = Math.max(minBurst * datagram, 2 * tick * rate);
    this.#credit = Math.min(burst, this.#credit + (now - this.#filledAt) * rate);
    this.#filledAt = now;
    return this.#credit;
  }

  spend(bytes: number): void {
    this.#credit -= bytes;
  }

  /** Milliseconds until `bytes` may leave. */
  delay(bytes: number, congestion: Congestion, rtt: Rtt): number {
    const rate = (gain * congestion.window) / Math.max(rtt.smoothed, 0.1);
    return Math.max(tick, (bytes - this.#credit) / rate);
  }
}
