/** Text that a peer has not got for certain: what waits for a connection, and what was sent a moment ago. */

/** Text of whole lines. */
interface Piece {
  readonly text: string;
  readonly lines: number;
  /** When it was given to the socket, in milliseconds of `performance.now()`; 0 while it waits. */
  sentAt: number;
}

/**
 * How long something that was sent is kept, in milliseconds: what is written after the peer went, and before this side
 * knows, is lost in the network. A peer that was still reading may get lines of this time twice.
 */
const doubt = 50;

/** Pieces in the order of their writing. */
export class Backlog {
  readonly #limit: number;
  #pieces: Piece[] = [];
  /** Length of the text that waits. */
  #waiting = 0;
  #firstWaiting = 0;

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
  send(write: (text: string) => void): void {
    const now = performance.now();
    while (this.#firstWaiting < this.#pieces.length) {
      const piece = this.#pieces[this.#firstWaiting++] as Piece;
      piece.sentAt = now;
      this.#waiting -= piece.text.length;
      write(piece.text);
    }
    const settled = this.#pieces.findIndex(({ sentAt }) => sentAt === 0 || sentAt > now - doubt);
    const gone = settled < 0 ? this.#pieces.length : settled;
    if (gone > 0) {
      this.#pieces.splice(0, gone);
      this.#firstWaiting -= gone;
    }
  }

  /** The connection is gone: what was sent a moment ago, or never left (`unsent` characters of the last), waits again. */
  takeBack(unsent: number): void {
    const now = performance.now();
    let left = unsent;
    for (let i = this.#firstWaiting - 1; i >= 0; i--) {
      const piece = this.#pieces[i] as Piece;
      if (left <= 0 && piece.sentAt <= now - doubt) break;
      left -= piece.text.length;
      piece.sentAt = 0;
      this.#waiting += piece.text.length;
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
