/**
 * Limits how long the server waits for a client to send body bytes or to receive response bytes. Only waiting time counts, so pauses of
 * handlers or upstreams do not count against the client. Each exchange has one instance per direction.
 */
import type { PaceRule } from '../exchange/pace-rule.ts';

const defaultChunk = 64 * 1024;

/** Creates a transfer rate rule from options. Ignores missing and negative options. */
export function paceRule(timeout: number, rate?: number | null, chunk?: number | null): PaceRule {
  return {
    timeout: Math.max(0, timeout),
    rate: Math.max(0, rate ?? 0),
    chunk: (chunk ?? 0) > 0 ? (chunk as number) : defaultChunk,
  };
}

const never = Number.POSITIVE_INFINITY;

export class Pace {
  /** Time after which the client is considered too slow. `Infinity` if the server is not waiting for the client. */
  deadline = never;
  #rule: PaceRule;
  /** Start time of the current wait. `Infinity` if the server is not waiting. */
  #since = never;
  #waited = 0;
  #bytes = 0;
  /** Number of bytes waiting to be sent. */
  #pending = 0;

  constructor(rule: PaceRule) {
    this.#rule = rule;
  }

  /** Switches to a different rule. */
  follow(rule: PaceRule): void {
    const since = this.#since;
    this.#rule = rule;
    this.#waited = 0;
    this.#bytes = 0;
    this.#since = this.deadline = never;
    if (since !== never) this.wait(since);
  }

  /** Starts waiting for bytes from the client. */
  wait(now: number): void {
    if (this.#since !== never || this.#rule.timeout === 0) return;
    this.#since = now;
    this.#setDeadline();
  }

  /** Starts waiting for the client to receive `pending` bytes. `bytes` is the number of bytes already sent. */
  waitForRoom(now: number, bytes: number, pending: number): void {
    this.#bytes = bytes;
    this.#pending = pending;
    this.wait(now);
  }

  /** Records progress by the client. `bytes` is the number of bytes transferred, if known. */
  moved(now: number, bytes: number): void {
    this.#bytes += bytes;
    if (this.#since === never) return;
    this.#waited += now - this.#since;
    this.#since = now;
    this.#setDeadline();
  }

  /** Stops waiting. Either the client has accepted the pending bytes, or the server is not reading from the client at present. */
  rest(now: number): void {
    if (this.#since === never) return;
    this.#waited += now - this.#since;
    this.#since = this.deadline = never;
  }

  #setDeadline(): void {
    const { timeout, rate, chunk } = this.#rule;
    if (rate === 0) this.deadline = this.#since + timeout * Math.max(1, Math.ceil(this.#pending / chunk));
    else {
      const bytes = this.#bytes + Math.max(0, this.#pending - chunk);
      this.deadline = this.#since + timeout + (bytes / rate) * 1000 - this.#waited;
    }
  }
}
