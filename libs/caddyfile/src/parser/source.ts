/** Where the parser gets its tokens: the file, and within it, one after the other, what is imported. */
import { itemAt } from '@sluice/base';
import { caddyfileError } from '../errors.ts';
import { startsLine, type CaddyfileToken } from '../token.ts';

/** More tokens than any real configuration has: what imports multiply ends here. */
const mostTokens = 5_000_000;

/** A list of tokens that is being read. */
interface Frame {
  readonly tokens: readonly CaddyfileToken[];
  at: number;
}

/** A stream of tokens into which others can be put. */
export class TokenSource {
  readonly #frames: Frame[];
  /** The token read last, or `null`. */
  last: CaddyfileToken | null = null;
  #read = 0;

  constructor(tokens: readonly CaddyfileToken[]) {
    this.#frames = [{ tokens, at: 0 }];
  }

  /** The next token, which stays, or `null` at the end. */
  peek(): CaddyfileToken | null {
    for (;;) {
      const frame = this.#frames.at(-1) as Frame;
      const token = frame.tokens[frame.at];
      if (token !== undefined) return token;
      if (this.#frames.length === 1) return null;
      this.#frames.pop();
    }
  }

  /** The token after the next one, or `null`. */
  peekSecond(): CaddyfileToken | null {
    if (this.peek() === null) return null;
    for (let depth = this.#frames.length - 1, skip = 1; depth >= 0; depth--, skip = 0) {
      const { tokens, at } = itemAt(this.#frames, depth);
      const token = tokens[at + skip];
      if (token !== undefined) return token;
    }
    return null;
  }

  /** Takes the next token. */
  next(): CaddyfileToken | null {
    const token = this.peek();
    if (token === null) return null;
    (this.#frames.at(-1) as Frame).at++;
    this.last = token;
    if (++this.#read > mostTokens)
      throw caddyfileError(`imports make more than ${mostTokens} tokens of this file`, undefined, token);
    return token;
  }

  /** Whether the next token is the first of its line. */
  get nextStartsLine(): boolean {
    const next = this.peek();
    return next !== null && (this.last === null || startsLine(this.last, next));
  }

  /** Puts tokens in front of what is left. */
  insert(tokens: readonly CaddyfileToken[]): void {
    if (tokens.length > 0) this.#frames.push({ tokens, at: 0 });
  }
}
