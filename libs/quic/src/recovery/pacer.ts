/** Spreads packets over a round trip (RFC 9002 §7.7), in bursts that fit into one system call. */
import type { Congestion } from './congestion.ts';
import type { Rtt } from './rtt.ts';

/** Factor for the sending rate. It is slightly above 1, so that the congestion window is fully used. */
const gain = 1.25;
/** Timer resolution of the event loop, in milliseconds. */
const tick = 1;
/** Burst size after a pause in sending, in datagrams. */
const minBurst = 10;

/** Token bucket that fills at the sending rate of the path. */
export class Pacer {
  #credit = Number.POSITIVE_INFINITY;
  #filledAt = 0;

  /** Returns the number of bytes that may be sent at `now`. */
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

  /** Returns the delay in milliseconds until `bytes` bytes may be sent. */
  delay(bytes: number, congestion: Congestion, rtt: Rtt): number {
    const rate = (gain * congestion.window) / Math.max(rtt.smoothed, 0.1);
    return Math.max(tick, (bytes - this.#credit) / rate);
  }
}
