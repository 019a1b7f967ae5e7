/** Tokens of a Caddyfile, with their positions. */

/** Notation of a token: bare, in double quotes, in backticks, or as a heredoc. */
export type Quote = '' | '"' | '`' | '<';

/** One `import` in the chain that led to a token, innermost last. Tokens of one import share the object. */
export interface ImportSite {
  readonly file: string;
  readonly line: number;
  /** Name of the snippet; empty for a file. */
  readonly snippet: string;
}

/** Empty chain, shared by all tokens of the main file. */
const noImports: readonly ImportSite[] = [];

/** Position of a token. */
export interface TokenPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export class CaddyfileToken {
  readonly text: string;
  readonly file: string;
  /** Line number, starting at 1. Lines joined by a backslash count as their first line. */
  readonly line: number;
  /** Starts at 1, in UTF-16 units. */
  readonly column: number;
  readonly quote: Quote;
  readonly imports: readonly ImportSite[];

  constructor(text: string, { file, line, column }: TokenPlace, quote: Quote = '', imports = noImports) {
    this.text = text;
    this.file = file;
    this.line = line;
    this.column = column;
    this.quote = quote;
    this.imports = imports;
  }

  /** Returns the token with another text. */
  withText(text: string, quote: Quote = this.quote): CaddyfileToken {
    return new CaddyfileToken(text, this, quote, this.imports);
  }

  imported(text: string, imports: readonly ImportSite[]): CaddyfileToken {
    return new CaddyfileToken(text, this, this.quote, imports);
  }

  /** Last line of the token. Quoted strings and heredocs may span several lines. */
  get lastLine(): number {
    const { text, quote, line } = this;
    if (quote === '') return line;
    let breaks = quote === '<' ? 2 : 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks++;
    return line + breaks;
  }
}

/** Reports whether `next` is on another line than `token`, or from another source. */
export function startsLine(token: CaddyfileToken, next: CaddyfileToken): boolean {
  if (token.file !== next.file || token.imports.length !== next.imports.length) return true;
  if (token.imports !== next.imports && token.imports.some((site, at) => site !== next.imports[at])) return true;
  return token.lastLine < next.line;
}
