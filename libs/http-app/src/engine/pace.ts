/**
 * How long a client may keep its server waiting: for bytes of a body, or for room for those of a response. Only waiting
 * counts, so that a pause of a handler or an upstream is not the client's. Exchanges have one for each direction.
 */
import type { PaceRule } from '../exchange/pace-rule.ts';

const defaultChunk = 64 * 1024;

/** A rule of options, which may be absent or negative: then they do not count. */
export function paceRule(timeout: number, rate?: number | null, chunk?: number | null): PaceRule {
  return {
    timeout: Math.max(0, timeout),
    rate: Math.max(0, rate ?? 0),
    chunk: (chunk ?? 0) > 0 ? (chunk as number) : defaultChunk,
  };
}

const never = Number.POSITIVE_INFINITY;

/** Keeps a deadline. Times in milliseconds of `performance.now()`. */
export class Pace {
  /** When the client is too slow; Infinity while nothing waits for it. */
  deadline = never;
  #rule: PaceRule;
  /** Since when it is waited for; Infinity for not. */
  #since = never;
  #waited = 0;
  #bytes = 0;
  /** Bytes that wait to be sent. */
  #pending = 0;

  constructor(rule: PaceRule) {
    this.#rule = rule;
  }

  /** Begins with another rule, for the next exchange or for the rest of this one. */
  follow(rule: PaceRule): void {
    const since = this.#since;
    this.#rule = rule;
    this.#waited = 0;
    this.#bytes = 0;
    this.#since = this.deadline = never;
    if (since !== never) this.wait(since);
  }

  /** From now on something waits for bytes of the client. */
  wait(now: number): void {
    if (this.#since !== never || this.#rule.timeout === 0) return;
    this.#since = now;
    this.#setDeadline();
  }

  /** From now on something waits for the client to take `pending` bytes; before them it was sent `bytes`. */
  waitForRoom(now: number, bytes: number, pending: number): void {
    this.#bytes = bytes;
    this.#pending = pending;
    this.wait(now);
  }

  /** The client has made progress, by so many bytes as far as is known. */
  moved(now: number, bytes: number): void {
    this.#bytes += bytes;
    if (this.#since === never) return;
    this.#waited += now - this.#since;
    this.#since = now;
    this.#setDeadline();
  }

  /** Nothing waits for the client any more: it has taken what was pending, or what it sends has to wait. */
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
