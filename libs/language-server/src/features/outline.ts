/** Outline of a Caddyfile: symbols and folding ranges. */
import { SymbolKind, type DocumentSymbol, type FoldingRange } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  linesOf,
  type Block,
  type CaddyfileTree,
  type Line,
  type Section,
  type SectionKind,
} from '../caddyfile/tree.ts';
import { rangeOf, type Span } from '../text/span.ts';

const kinds: Readonly<Record<SectionKind, SymbolKind>> = {
  global: SymbolKind.Module,
  site: SymbolKind.Class,
  snippet: SymbolKind.Interface,
  route: SymbolKind.Function,
  import: SymbolKind.File,
  fragment: SymbolKind.File,
};

/** Returns symbols for sections, their named matchers, and directives with a block. */
export function symbolsOf(document: TextDocument, { sections }: CaddyfileTree): DocumentSymbol[] {
  return sections
    .filter(({ kind }) => kind !== 'import')
    .map((section) => {
      const name =
        section.keys.map(({ token }) => token.text).join(' ') ||
        (section.kind === 'fragment' ? 'directives' : 'global options');
      const keys = spanOfKeys(section);
      const whole = section.block === null ? keys : { start: keys.start, end: closed(section.block, document) };
      return {
        name,
        kind: kinds[section.kind],
        range: rangeOf(document, whole),
        selectionRange: rangeOf(document, keys),
        children: childrenOf(document, section.block, 0),
      };
    });
}

/** Maximum nesting depth of displayed symbols. */
const maxDepth = 20;

function childrenOf(document: TextDocument, block: Block | null, depth: number): DocumentSymbol[] {
  if (block === null || depth >= maxDepth) return [];
  return block.lines.flatMap((line) => {
    const [first] = line.words;
    if (first === undefined) return [];
    const matcher = first.token.text.startsWith('@');
    if (!matcher && line.block === null) return [];
    const words = line.words.map(({ token }) => token.text);
    const symbol: DocumentSymbol = {
      name: (matcher ? first.token.text : words.join(' ')) || '""',
      kind: matcher ? SymbolKind.Variable : SymbolKind.Method,
      range: rangeOf(document, spanOfLine(line, document)),
      selectionRange: rangeOf(document, first),
    };
    const children = matcher ? [] : childrenOf(document, line.block, depth + 1);
    return [children.length === 0 ? symbol : { ...symbol, children }];
  });
}

function spanOfKeys({ keys, block }: Section): Span {
  const start = keys[0]?.start ?? Math.max((block?.start ?? 1) - 1, 0);
  return { start, end: keys.at(-1)?.end ?? start + 1 };
}

function spanOfLine({ words, block }: Line, document: TextDocument): Span {
  const start = words[0]?.start ?? 0;
  return { start, end: block === null ? (words.at(-1)?.end ?? start) : closed(block, document) };
}

/** Returns the offset after the closing brace of a block. */
function closed({ end }: Block, document: TextDocument): number {
  return document.getText().charAt(end) === '}' ? end + 1 : end;
}

/** Returns folding ranges for blocks, multi-line strings, and groups of comments. */
export function foldsOf(document: TextDocument, tree: CaddyfileTree): FoldingRange[] {
  const folds: FoldingRange[] = [];
  const add = (start: number, end: number, kind?: 'comment'): void => {
    const [startLine, endLine] = [document.positionAt(start).line, document.positionAt(end).line];
    if (endLine > startLine) folds.push(kind === undefined ? { startLine, endLine } : { startLine, endLine, kind });
  };
  // Keep the line with the closing brace visible when the block is folded.
  const addBlock = ({ start, end }: Block): void => add(start, document.getText().lastIndexOf('\n', end - 1));
  for (const { block } of tree.sections) {
    if (block === null) continue;
    addBlock(block);
    for (const line of linesOf(block)) if (line.block !== null) addBlock(line.block);
  }
  for (const { token, start, end } of tree.tokens) if (token.quote !== '') add(start, end);
  for (const { start, end } of commentsOf(tree)) add(start, end, 'comment');
  return folds;
}

/** Yields groups of consecutive comment lines. */
function* commentsOf({ text, tokens }: CaddyfileTree): Generator<Span, void, void> {
  let from = 0;
  for (const next of [...tokens, null]) {
    const end = next?.start ?? text.length;
    const lines = /(?<=^|\n)[^\S\n]*#[^\n]*(?:\n[^\S\n]*#[^\n]*)+/g;
    for (const match of text.slice(from, end).matchAll(lines)) {
      yield { start: from + match.index, end: from + match.index + match[0].length };
    }
    from = next?.end ?? end;
  }
}
