/** Lines that a peer might not have received: queued lines and recently sent lines. */
import { itemAt } from '@sluice/base';

/** Whole lines. */
interface Piece {
  readonly text: string;
  readonly lines: number;
  /** Time at which the line was passed to the socket, as a `performance.now()` timestamp. 0 for a queued line. */
  sentAt: number;
}

/**
 * Reason that lines may have been lost in a disconnect. `late`: the peer had read all data, so only lines sent shortly before the
 * disconnect was detected are affected. `unread`: the peer reset the connection while data was unread, so all remembered lines are
 * affected.
 */
export type Doubt = 'late' | 'unread';

/**
 * Length of the time window that ends when the connection was last known to be alive, in milliseconds. Lines sent within this window may be
 * lost.
 */
const lateness = 100;
/**
 * Limits for remembered lines: maximum age in milliseconds, and maximum size in characters. A busy peer may not have read this much data
 * yet.
 */
const memory = 1000;
const maxRemembered = 4 * 1024 * 1024;

export class Backlog {
  readonly #limit: number;
  #pieces: Piece[] = [];
  /** Size of the queued text, and size of the remembered sent text, in characters. */
  #waiting = 0;
  #remembered = 0;
  #firstWaiting = 0;
  #aliveAt = 0;

  /** `limit` is the maximum size of the queued text. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Queues text. Returns false if the queue is too full. */
  add(text: string, lines: number): boolean {
    if (this.#waiting + text.length > this.#limit) return false;
    this.#pieces.push({ text, lines, sentAt: 0 });
    this.#waiting += text.length;
    return true;
  }

  /** Sends all queued text in order. */
  send(write: (text: string) => void, now: number): void {
    while (this.#firstWaiting < this.#pieces.length) {
      const piece = itemAt(this.#pieces, this.#firstWaiting++);
      piece.sentAt = now;
      this.#waiting -= piece.text.length;
      this.#remembered += piece.text.length;
      write(piece.text);
    }
  }

  /** Records that the connection was alive at a time. Lines sent earlier have arrived, except for the last `unsent` characters. */
  settle(aliveAt: number, unsent: number): void {
    this.#aliveAt = aliveAt;
    let gone = 0;
    for (; gone < this.#firstWaiting; gone++) {
      const { sentAt, text } = itemAt(this.#pieces, gone);
      if (sentAt > aliveAt - lateness) break;
      if (sentAt > aliveAt - memory && this.#remembered <= maxRemembered) break;
      if (this.#remembered - text.length < unsent) break;
      this.#remembered -= text.length;
    }
    if (gone === 0) return;
    this.#pieces.splice(0, gone);
    this.#firstWaiting -= gone;
  }

  /** Requeues lines that may have been lost in a disconnect. `unsent` is the number of characters that were never sent. */
  requeue(unsent: number, doubt: Doubt): void {
    const since = doubt === 'unread' ? 0 : this.#aliveAt - lateness;
    let left = unsent;
    for (let i = this.#firstWaiting - 1; i >= 0; i--) {
      const piece = itemAt(this.#pieces, i);
      if (left <= 0 && piece.sentAt <= since) break;
      left -= piece.text.length;
      piece.sentAt = 0;
      this.#waiting += piece.text.length;
      this.#remembered -= piece.text.length;
      this.#firstWaiting = i;
    }
  }

  get waitingLines(): number {
    let lines = 0;
    for (let i = this.#firstWaiting; i < this.#pieces.length; i++) lines += itemAt(this.#pieces, i).lines;
    return lines;
  }
}
