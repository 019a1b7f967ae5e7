/** Tracks whether the position in an event stream is between two events (HTML Standard, section 9.2.5). */
import { byteAt } from '@sluice/base';

const lineFeed = 10;
const carriageReturn = 13;
const byteOrderMark = Buffer.from('\u{feff}');

/** Tracks the last three bytes of an event stream. This is enough to find blank lines that end with CR, LF or CRLF. */
export class EventBoundary {
  /** Last three bytes, oldest first. The start of the stream is treated like a blank line. */
  #third = lineFeed;
  #second = lineFeed;
  #last = lineFeed;
  #isEmpty = true;
  /** True if a comment was inserted before the first byte of the stream. */
  #isShifted = false;

  /** True at the start of the stream and after a blank line. A comment may be inserted at these positions. */
  get isReached(): boolean {
    const isCrLf = this.#last === lineFeed && this.#second === carriageReturn;
    return endsLine(this.#last) && endsLine(isCrLf ? this.#third : this.#second);
  }

  /** Records that a comment and a blank line have been inserted. */
  commented(): void {
    if (this.#isEmpty) this.#isShifted = true;
  }

  /**
   * Processes `bytes[from..to)`. Returns the position from which to send the bytes. After an inserted comment, the position skips a byte
   * order mark, which is only valid at the start of a stream.
   */
  follow(bytes: Buffer, from: number, to: number): number {
    const start = this.#isEmpty && this.#isShifted ? afterMark(bytes, from, to) : from;
    if (from < to) this.#isEmpty = false;
    const size = to - start;
    if (size === 0) return start;
    if (size >= 3) this.#third = byteAt(bytes, to - 3);
    else this.#third = size === 2 ? this.#last : this.#second;
    this.#second = size >= 2 ? byteAt(bytes, to - 2) : this.#last;
    this.#last = byteAt(bytes, to - 1);
    return start;
  }
}

function endsLine(byte: number): boolean {
  return byte === lineFeed || byte === carriageReturn;
}

function afterMark(bytes: Buffer, from: number, to: number): number {
  const end = from + byteOrderMark.length;
  return end <= to && byteOrderMark.compare(bytes, from, end) === 0 ? end : from;
}
