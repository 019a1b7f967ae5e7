/** Text that a peer has not got for certain: what waits for a connection, and what was sent a moment ago. */

/** Text of whole lines. */
interface Piece {
  readonly text: string;
  readonly lines: number;
  /** When it was given to the socket, in milliseconds of `performance.now()`; 0 while it waits. */
  sentAt: number;
}

/**
 * What a connection that is gone leaves in doubt: with its peer having read all there was, what this side said before it
 * knew (`late`); where the peer was cut off with bytes unread, as a reset tells, all that is remembered (`unread`).
 */
export type Doubt = 'late' | 'unread';

/** How long before the connection was last seen alive something may have been said to a peer that was leaving, in milliseconds. */
const lateness = 100;
/** How long, and how much of, what was sent is remembered: a busy peer has that much unread. In milliseconds and characters. */
const memory = 1000;
const mostRemembered = 4 * 1024 * 1024;

/** Pieces in the order of their writing: first those that were sent, then those that wait. */
export class Backlog {
  readonly #limit: number;
  #pieces: Piece[] = [];
  /** Lengths of the text that waits, and of that which was sent and is remembered. */
  #waiting = 0;
  #remembered = 0;
  #firstWaiting = 0;
  #aliveAt = 0;

  /** `limit` bounds the text that waits. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes text in; false if there is no room for it. */
  add(text: string, lines: number): boolean {
    if (this.#waiting + text.length > this.#limit) return false;
    this.#pieces.push({ text, lines, sentAt: 0 });
    this.#waiting += text.length;
    return true;
  }

  /** Gives out what waits, in order. */
  send(write: (text: string) => void, now: number): void {
    while (this.#firstWaiting < this.#pieces.length) {
      const piece = this.#pieces[this.#firstWaiting++] as Piece;
      piece.sentAt = now;
      this.#waiting -= piece.text.length;
      this.#remembered += piece.text.length;
      write(piece.text);
    }
  }

  /** The connection was there at a time: what was sent long before came to the peer, but for what has not left (`unsent`). */
  settle(aliveAt: number, unsent: number): void {
    this.#aliveAt = aliveAt;
    let gone = 0;
    for (; gone < this.#firstWaiting; gone++) {
      const { sentAt, text } = this.#pieces[gone] as Piece;
      if (sentAt > aliveAt - lateness) break;
      if (sentAt > aliveAt - memory && this.#remembered <= mostRemembered) break;
      if (this.#remembered - text.length < unsent) break;
      this.#remembered -= text.length;
    }
    if (gone === 0) return;
    this.#pieces.splice(0, gone);
    this.#firstWaiting -= gone;
  }

  /** The connection is gone: what is in doubt, or never left (`unsent` characters of the last), waits again. */
  takeBack(unsent: number, doubt: Doubt): void {
    const since = doubt === 'unread' ? 0 : this.#aliveAt - lateness;
    let left = unsent;
    for (let i = this.#firstWaiting - 1; i >= 0; i--) {
      const piece = this.#pieces[i] as Piece;
      if (left <= 0 && piece.sentAt <= since) break;
      left -= piece.text.length;
      piece.sentAt = 0;
      this.#waiting += piece.text.length;
      this.#remembered -= piece.text.length;
      this.#firstWaiting = i;
    }
  }

  /** How many lines wait. */
  get waitingLines(): number {
    let lines = 0;
    for (let i = this.#firstWaiting; i < this.#pieces.length; i++) lines += (this.#pieces[i] as Piece).lines;
    return lines;
  }
}
