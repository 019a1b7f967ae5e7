/** Provides tokens to the parser. Inserts imported tokens into the tokens of the file, in order. */
import { itemAt } from '@sluice/base';
import { caddyfileError } from '../errors.ts';
import { startsLine, type CaddyfileToken } from '../token.ts';

/** Maximum number of tokens, because imports can multiply tokens. Real configurations are far smaller. */
const maxTokens = 5_000_000;

/** A token list that is being read. */
interface Frame {
  readonly tokens: readonly CaddyfileToken[];
  at: number;
}

/** A stream of tokens into which imported tokens can be inserted. */
export class TokenSource {
  readonly #frames: Frame[];
  last: CaddyfileToken | null = null;
  #read = 0;

  constructor(tokens: readonly CaddyfileToken[]) {
    this.#frames = [{ tokens, at: 0 }];
  }

  peek(): CaddyfileToken | null {
    for (;;) {
      const frame = this.#frames.at(-1) as Frame;
      const token = frame.tokens[frame.at];
      if (token !== undefined) return token;
      if (this.#frames.length === 1) return null;
      this.#frames.pop();
    }
  }

  peekSecond(): CaddyfileToken | null {
    if (this.peek() === null) return null;
    for (let depth = this.#frames.length - 1, skip = 1; depth >= 0; depth--, skip = 0) {
      const { tokens, at } = itemAt(this.#frames, depth);
      const token = tokens[at + skip];
      if (token !== undefined) return token;
    }
    return null;
  }

  next(): CaddyfileToken | null {
    const token = this.peek();
    if (token === null) return null;
    (this.#frames.at(-1) as Frame).at++;
    this.last = token;
    if (++this.#read > maxTokens)
      throw caddyfileError(`imports expand this file to more than ${maxTokens} tokens`, undefined, token);
    return token;
  }

  /** True if the next token is the first token on its line. */
  get nextStartsLine(): boolean {
    const next = this.peek();
    return next !== null && (this.last === null || startsLine(this.last, next));
  }

  insert(tokens: readonly CaddyfileToken[]): void {
    if (tokens.length > 0) this.#frames.push({ tokens, at: 0 });
  }
}
