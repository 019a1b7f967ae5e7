/** Caddyfile tokens with their positions. */

/** Notation of a token: unquoted, in double quotes, in backticks, or as a heredoc. */
export type Quote = '' | '"' | '`' | '<';

/** One `import` directive in the chain that led to a token, with the innermost import last. All tokens of one import share this object. */
export interface ImportSite {
  readonly file: string;
  readonly line: number;
  /** Name of the imported snippet. Empty for a file. */
  readonly snippet: string;
}

/** Empty import chain, which all tokens of the main file share. */
const noImports: readonly ImportSite[] = [];

export interface TokenPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export class CaddyfileToken {
  readonly text: string;
  readonly file: string;
  /** Line number, starting at 1. For lines joined by a backslash, this is the number of the first line. */
  readonly line: number;
  /** Column number in UTF-16 code units, starting at 1. */
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

  /** Returns a copy of the token with different text. */
  withText(text: string, quote: Quote = this.quote): CaddyfileToken {
    return new CaddyfileToken(text, this, quote, this.imports);
  }

  imported(text: string, imports: readonly ImportSite[]): CaddyfileToken {
    return new CaddyfileToken(text, this, this.quote, imports);
  }

  /** Number of the token's last line. Quoted strings and heredocs may span several lines. */
  get lastLine(): number {
    const { text, quote, line } = this;
    if (quote === '') return line;
    let breaks = quote === '<' ? 2 : 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks++;
    return line + breaks;
  }
}

/** Reports whether `next` is on a different line than `token`, or comes from a different source. */
export function startsLine(token: CaddyfileToken, next: CaddyfileToken): boolean {
  if (token.file !== next.file || token.imports.length !== next.imports.length) return true;
  if (token.imports !== next.imports && token.imports.some((site, at) => site !== next.imports[at])) return true;
  return token.lastLine < next.line;
}
