/** Token stream with lookahead. Error messages contain the line of the last token. */
import { parseError } from '../errors.ts';
import { lineAt } from './position.ts';
import { Lexer, type Delimiters } from './lexer.ts';
import { describeToken, type Token } from './tokens.ts';

export class TokenStream {
  readonly #lexer: Lexer;
  readonly #name: string;
  readonly #pushed: Token[] = [];
  #last = 0;

  constructor(name: string, text: string, delimiters: Delimiters) {
    this.#name = name;
    this.#lexer = new Lexer(text, delimiters);
  }

  next(): Token {
    const pushed = this.#pushed.pop();
    if (pushed !== undefined) return pushed;
    const token = this.#lexer.next();
    this.#last = token.position;
    return token;
  }

  back(token: Token): void {
    this.#pushed.push(token);
  }

  /** Returns the next token without consuming it. */
  peek(): Token {
    const token = this.next();
    this.back(token);
    return token;
  }

  /** Returns the next non-whitespace token. */
  nextNonSpace(): Token {
    for (;;) {
      const token = this.next();
      if (token.type !== 'space') return token;
    }
  }

  /** Returns the next non-whitespace token without consuming it. Consumes the whitespace before it. */
  peekNonSpace(): Token {
    const token = this.nextNonSpace();
    this.back(token);
    return token;
  }

  /** Throws an error that contains the line of the last token. */
  fail(message: string): never {
    throw parseError(this.#name, lineAt(this.#lexer.text, this.#last), message);
  }

  /** Throws an error about an unexpected token. */
  unexpected(token: Token, context: string): never {
    if (token.type === 'error') this.fail(token.text + this.#started(token));
    this.fail(`unexpected ${describeToken(token)} in ${context}`);
  }

  /** Returns a note about the line on which the action started, for errors in multi-line actions. */
  #started(token: Token): string {
    if (this.#lexer.actionStart < 0) return '';
    const line = lineAt(this.#lexer.text, this.#lexer.actionStart);
    if (line === lineAt(this.#lexer.text, token.position)) return '';
    return `${token.text.endsWith(' action') ? '' : ' in action'} started at ${this.#name}:${line}`;
  }
}
