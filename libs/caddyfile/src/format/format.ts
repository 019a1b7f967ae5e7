/**
 * Caddyfile formatter. Indents with tabs by nesting depth, and separates words with one space. Puts each block on separate lines, and keeps
 * at most one blank line in a row. Quotes, heredocs, and comments stay unchanged. Formatting is idempotent.
 */
import { piecesOf, type Piece } from './pieces.ts';

/** Maximum indentation depth. */
const maxDepth = 10;

/** Returns the formatted text, which ends with a line break. */
export function formatCaddyfile(text: string): string {
  const formatter = new Formatter();
  for (const piece of piecesOf(text.trim())) formatter.add(piece);
  return formatter.finish();
}

class Formatter {
  readonly #parts: string[] = [];
  #last = '';
  #lineStart = true;
  #depth = 0;
  /** True if whitespace precedes the next piece. */
  #space = true;
  #breaks = 0;
  /**
   * True if an opening placeholder brace has been read since the last block opened. If true, a closing brace inside a word ends the
   * placeholder.
   */
  #placeholder = false;
  #commented = false;
  /** True directly after a block was opened. Blank lines at this position are removed. */
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

  /** Ends a comment together with its line break. Only subsequent line breaks count as blank lines. */
  #endComment(): void {
    if (!this.#commented) return;
    this.#commented = false;
    if (this.#breaks === 0) return;
    this.#newLine();
    this.#breaks--;
  }

  /** Separates sites and other top-level parts from the preceding block with a blank line. */
  #separate(): void {
    if (this.#depth > 0 || this.#last !== '}') return;
    this.#newLine();
    this.#newLine();
  }

  /** Writes the opening brace of a block on the same line as the directive. */
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
    if (this.#depth < maxDepth) this.#depth++;
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
