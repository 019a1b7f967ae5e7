/** The smallest parts of a Caddyfile, with the place they were written at. */

/** How a token was written: bare, in double quotes, in backticks, or as a heredoc. */
export type Quote = '' | '"' | '`' | '<';

/** One `import` that a token came through, innermost last. Tokens of one import share the object. */
export interface ImportSite {
  /** File that has the `import`. */
  readonly file: string;
  readonly line: number;
  /** Name of the snippet, empty for a file. */
  readonly snippet: string;
}

/** No imports; shared by all tokens of the first file. */
const noImports: readonly ImportSite[] = [];

/** Where a token stands. */
export interface TokenPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A word of a Caddyfile. */
export class CaddyfileToken {
  readonly text: string;
  readonly file: string;
  /** Counted from 1. Lines joined by a backslash count as the one they begin on. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
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

  /** The same token with another text. */
  withText(text: string, quote: Quote = this.quote): CaddyfileToken {
    return new CaddyfileToken(text, this, quote, this.imports);
  }

  /** The same token, come through one import more. */
  imported(text: string, imports: readonly ImportSite[]): CaddyfileToken {
    return new CaddyfileToken(text, this, this.quote, imports);
  }

  /** The line it ends on: texts in quotes and heredocs may have several. */
  get lastLine(): number {
    const { text, quote, line } = this;
    if (quote === '') return line;
    let breaks = quote === '<' ? 2 : 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks++;
    return line + breaks;
  }
}

/** Whether `next` stands on another line than `token`, or came from elsewhere. */
export function startsLine(token: CaddyfileToken, next: CaddyfileToken): boolean {
  if (token.file !== next.file || token.imports.length !== next.imports.length) return true;
  if (token.imports !== next.imports && token.imports.some((site, at) => site !== next.imports[at])) return true;
  return token.lastLine < next.line;
}
