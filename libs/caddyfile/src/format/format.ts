/**
 * Formats Caddyfiles: tabs by depth, one space between words, blocks on lines of their own, at most one blank line. What
 * stands in quotes, heredocs and comments stays. Formatting what was formatted changes nothing.
 */
import { piecesOf, type Piece } from './pieces.ts';

/** Deeper blocks are not indented further. */
const deepest = 10;

/** The text in the usual form, with a line break at its end. */
export function formatCaddyfile(text: string): string {
  const formatter = new Formatter();
  for (const piece of piecesOf(text.trim())) formatter.add(piece);
  return formatter.finish();
}

/** Writes pieces one after the other. */
class Formatter {
  readonly #parts: string[] = [];
  #last = '';
  #lineStart = true;
  #depth = 0;
  /** White space before the next piece, and the line breaks in it. */
  #space = true;
  #breaks = 0;
  /** Whether a brace of a placeholder was read since the last block was opened: then one within a word is its other end. */
  #placeholder = false;
  #commented = false;
  /** Whether a block was opened last: blank lines at its begin go. */
  #opened = false;

  add(piece: Piece): void {
    if (piece.kind === 'space') {
      this.#space = true;
      this.#breaks += piece.breaks;
      this.#endComment();
      return;
    }
    if (this.#opened) this.#breaks = 0;
    this.#opened = false;
    switch (piece.kind) {
      case 'open':
        this.#open();
        break;
      case 'close':
        if (this.#space || !this.#placeholder) this.#close();
        else this.#word('}');
        break;
      case 'brace':
        this.#placeholder = true;
        this.#word('{');
        break;
      case 'comment':
        this.#word(piece.text);
        this.#commented = true;
        break;
      case 'text':
        this.#word(piece.text);
        break;
    }
    this.#space = false;
  }

  finish(): string {
    return `${this.#parts.join('').trim()}\n`;
  }

  #write(text: string): void {
    this.#parts.push(text);
    this.#last = text.charAt(text.length - 1);
  }

  #newLine(): void {
    this.#write('\n');
    this.#lineStart = true;
  }

  /** The line break after a comment is always kept; only those after it are counted. */
  #endComment(): void {
    if (!this.#commented) return;
    this.#commented = false;
    if (this.#breaks === 0) return;
    this.#newLine();
    this.#breaks--;
  }

  /** Sites and what else stands outside of blocks are apart from the block before them. */
  #separate(): void {
    if (this.#depth > 0 || this.#last !== '}') return;
    this.#newLine();
    this.#newLine();
  }

  /** A block opens on the line of what it belongs to. */
  #open(): void {
    const behind = this.#space && !this.#lineStart && this.#breaks === 0;
    if (!behind) this.#separate();
    if (this.#lineStart) this.#indent();
    else this.#write(' ');
    this.#write('{');
    this.#newLine();
    this.#breaks = 0;
    this.#opened = true;
    this.#placeholder = false;
    if (this.#depth < deepest) this.#depth++;
  }

  #close(): void {
    if (this.#last !== '\n') this.#newLine();
    if (this.#depth > 0) this.#depth--;
    this.#indent();
    this.#write('}');
    this.#breaks = 0;
  }

  #word(text: string): void {
    for (let count = Math.min(this.#breaks, 2); count > 0; count--) this.#newLine();
    this.#breaks = 0;
    if (this.#lineStart) {
      this.#indent();
      this.#separate();
    }
    if (!this.#lineStart && this.#space) this.#write(' ');
    this.#write(text);
    this.#lineStart = false;
  }

  #indent(): void {
    if (this.#depth > 0) this.#write('\t'.repeat(this.#depth));
  }
}
