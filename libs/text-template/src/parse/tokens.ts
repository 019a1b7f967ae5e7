import { quote } from '../fmt/quote.ts';

export type Keyword =
  | 'block'
  | 'break'
  | 'continue'
  | 'define'
  | 'else'
  | 'end'
  | 'if'
  | 'nil'
  | 'range'
  | 'template'
  | 'with';

/** Token types. `mark` is any printable ASCII character that no other token starts with. Among these, only the comma has a meaning. */
export type TokenType =
  | 'text'
  | 'open'
  | 'close'
  | 'space'
  | 'identifier'
  | 'keyword'
  | 'dot'
  | 'field'
  | 'variable'
  | 'number'
  | 'character'
  | 'string'
  | 'bool'
  | 'pipe'
  | 'declare'
  | 'assign'
  | 'leftParen'
  | 'rightParen'
  | 'mark'
  | 'error'
  | 'end';

/** A lexer token. `text` is the source text, or the error message for an error token. */
export interface Token {
  readonly type: TokenType;
  readonly text: string;
  /** Index of the token's first character in the source text. */
  readonly position: number;
}

const keywords: ReadonlySet<string> = new Set<Keyword>([
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
]);

/** Classifies a word as a keyword, boolean, or function name. */
export function wordType(word: string): TokenType {
  if (keywords.has(word)) return 'keyword';
  return word === 'true' || word === 'false' ? 'bool' : 'identifier';
}

/** Formats a token for error messages. */
export function describeToken(token: Token): string {
  switch (token.type) {
    case 'end':
      return 'EOF';
    case 'error':
      return token.text;
    case 'keyword':
    case 'dot':
      return `<${token.text}>`;
    default:
      return quoteShort(token.text);
  }
}

function quoteShort(text: string): string {
  const characters = [...text];
  return characters.length > 10 ? `${quote(characters.slice(0, 10).join(''))}...` : quote(text);
}
