/** Highlights code with highlight.js. The output uses the short class names of Pygments. */
import highlighter from 'highlight.js/lib/common';
import { classOf, dialectOf, type Dialect } from './token-classes.ts';

export interface Piece {
  readonly text: string;
  /** Short class name. Empty if the token has no class. */
  readonly type: string;
}

/** Returns the highlighted lines of code, each with its line feed. Returns `null` if the language is unknown. */
export function highlightLines(code: string, language: string): Piece[][] | null {
  const name = language.toLowerCase();
  if (highlighter.getLanguage(name) === undefined) return null;
  const dialect = dialectOf(name);
  const { value } = highlighter.highlight(code, { language: name, ignoreIllegals: true });
  const pieces: Piece[] = [];
  for (const { text, scopes } of scopedTexts(value)) {
    const type = classOf(scopes, text, dialect);
    if (type === null) pieces.push(...plainPieces(text, scopes.at(-1) ?? '', dialect));
    else if (type === 'nt' && text.endsWith(':'))
      pieces.push({ text: text.slice(0, -1), type }, { text: ':', type: 'p' });
    else pieces.push({ text, type });
  }
  return linesOf(joined(pieces), dialect);
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#x27;': "'",
};

/** Yields the text pieces and their scopes from the HTML that highlight.js generates. */
function* scopedTexts(html: string): IterableIterator<{ readonly text: string; readonly scopes: readonly string[] }> {
  const scopes: string[] = [];
  for (const [, scope, close, text] of html.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
    if (scope !== undefined) scopes.push(scope.replace(/^hljs-/, '').replace(/ (\w+?)_+$/, '.$1'));
    else if (close !== undefined) scopes.pop();
    else
      yield {
        text: (text ?? '').replace(/&(?:lt|gt|amp|quot|#x27);/g, (entity) => entities[entity] ?? entity),
        scopes,
      };
  }
}

const plain = /(\s+)|([\p{L}_$][\p{L}\p{N}_$]*)|(\d[\w.]*)|([()[\]{}.,;:]+)|([-+*/%=<>!&|^~?@]+)|(.)/gsu;

/** Splits text that highlight.js has not classified. */
function plainPieces(text: string, scope: string, dialect: Dialect): Piece[] {
  if (scope === 'tag') return tagPieces(text);
  const pieces: Piece[] = [];
  for (const [whole, space, word, number, punctuation, operator] of text.matchAll(plain)) {
    if (space !== undefined) pieces.push({ text: whole, type: dialect.space });
    else if (word !== undefined) pieces.push({ text: whole, type: dialect.word });
    else if (number !== undefined) pieces.push({ text: whole, type: dialect.signs ? 'mi' : '' });
    else if (punctuation !== undefined) pieces.push({ text: whole, type: dialect.signs ? 'p' : '' });
    else if (operator !== undefined) pieces.push({ text: whole, type: operatorType(whole, dialect) });
    else pieces.push({ text: whole, type: '' });
  }
  return pieces;
}

function operatorType(operator: string, dialect: Dialect): string {
  if (operator === '|' && dialect.shell) return 'p';
  return dialect.signs ? 'o' : '';
}

/** Splits the text of an HTML tag at its punctuation. */
function tagPieces(text: string): Piece[] {
  const parts = text.match(/[<>/]+|=|[^<>/=]+/g) ?? [];
  return parts.map((part) => ({ text: part, type: part === '=' ? 'o' : /^[<>/]/.test(part) ? 'p' : '' }));
}

function joined(pieces: readonly Piece[]): Piece[] {
  const whole: Piece[] = [];
  for (const piece of pieces) {
    const last = whole.at(-1);
    if (last !== undefined && last.type === piece.type)
      whole[whole.length - 1] = { text: last.text + piece.text, type: piece.type };
    else whole.push(piece);
  }
  return whole;
}

/** Classes of tokens that extend to the end of the line. */
const wholeLine: ReadonlySet<string> = new Set(['c1', 'gi', 'gd', 'gh']);

function linesOf(pieces: readonly Piece[], dialect: Dialect): Piece[][] {
  const lines: Piece[][] = [];
  let line: Piece[] = [];
  for (const { text, type } of pieces) {
    const parts = text.split(/(?<=\n)/);
    for (const part of parts) {
      const last = line.at(-1);
      if (
        part.startsWith('\n') &&
        last !== undefined &&
        wholeLine.has(last.type) &&
        dialect.commentTakesLine &&
        type === ''
      ) {
        line[line.length - 1] = { text: `${last.text}\n`, type: last.type };
        const rest = part.slice(1);
        if (rest !== '') line.push({ text: rest, type });
      } else line.push({ text: part, type });
      if (part.endsWith('\n')) {
        lines.push(line);
        line = [];
      }
    }
  }
  if (line.length > 0) lines.push(line);
  return lines;
}
