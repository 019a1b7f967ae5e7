/** Tokens with look-ahead, and errors at the line that was read last. */
import { parseError } from '../errors.ts';
import { lineAt } from './position.ts';
import { Lexer, type Delimiters } from './lexer.ts';
import { describeToken, type Token } from './tokens.ts';

/** What the parser reads from. */
export class TokenStream {
  readonly #lexer: Lexer;
  readonly #name: string;
  readonly #pushed: Token[] = [];
  #last = 0;

  constructor(name: string, text: string, delimiters: Delimiters) {
    this.#name = name;
    this.#lexer = new Lexer(text, delimiters);
  }

  /** The next token. */
  next(): Token {
    const pushed = this.#pushed.pop();
    if (pushed !== undefined) return pushed;
    const token = this.#lexer.next();
    this.#last = token.position;
    return token;
  }

  /** Puts a token back. */
  back(token: Token): void {
    this.#pushed.push(token);
  }

  /** The next token, left in place. */
  peek(): Token {
    const token = this.next();
    this.back(token);
    return token;
  }

  /** The next token that is not space. */
  nextNonSpace(): Token {
    for (;;) {
      const token = this.next();
      if (token.type !== 'space') return token;
    }
  }

  /** The next token that is not space, left in place; space before it is dropped. */
  peekNonSpace(): Token {
    const token = this.nextNonSpace();
    this.back(token);
    return token;
  }

  /** Throws an error with the line of the token that was read last. */
  fail(message: string): never {
    throw parseError(this.#name, lineAt(this.#lexer.text, this.#last), message);
  }

  /** Throws for a token that has no place here. */
  unexpected(token: Token, context: string): never {
    if (token.type === 'error') this.fail(token.text + this.#started(token));
    this.fail(`unexpected ${describeToken(token)} in ${context}`);
  }

  /** Says where the action began that an error of several lines is in. */
  #started(token: Token): string {
    if (this.#lexer.actionStart < 0) return '';
    const line = lineAt(this.#lexer.text, this.#lexer.actionStart);
    if (line === lineAt(this.#lexer.text, token.position)) return '';
    return `${token.text.endsWith(' action') ? '' : ' in action'} started at ${this.#name}:${line}`;
  }
}
