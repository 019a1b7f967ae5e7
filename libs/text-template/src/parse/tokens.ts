/** Tokens of a template. */
import { quote } from '../fmt/quote.ts';

/** Words that are not functions. */
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

/** What a token is. `mark` is a printable ASCII character without a meaning of its own, but for `,`. */
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

/** One token. `text` is as written; of an error token it is the message. */
export interface Token {
  readonly type: TokenType;
  readonly text: string;
  /** Index of its first character in the source. */
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

/** Sorts a word into keywords, booleans and names of functions. */
export function wordType(word: string): TokenType {
  if (keywords.has(word)) return 'keyword';
  return word === 'true' || word === 'false' ? 'bool' : 'identifier';
}

/** A token as messages show it. */
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
