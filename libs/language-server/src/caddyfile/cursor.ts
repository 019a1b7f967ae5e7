/** Finds the block, line and word at a position in a Caddyfile. */
import { itemAt } from '@sluice/base';
import type { LocatedToken } from '@sluice/caddyfile';
import { isBare, type Block, type CaddyfileTree, type Line, type Section } from './tree.ts';

/** Syntactic context of a cursor position. */
export interface Cursor {
  readonly offset: number;
  /** Section that contains the cursor. A section includes its keys. `null` between sections. */
  readonly section: Section | null;
  /** Innermost block that contains the cursor; `null` outside blocks. */
  readonly block: Block | null;
  /** Line that contains the cursor; `null` at the start of a new line. */
  readonly line: Line | null;
  /** Index of the word at the cursor within its line. Index 0 is the line's name. */
  readonly index: number;
  /** Word at the cursor; `null` between words. */
  readonly word: LocatedToken | null;
  /** Part of the word that precedes the cursor. */
  readonly prefix: string;
}

export function cursorAt(tree: CaddyfileTree, offset: number): Cursor | null {
  const at = firstFrom(tree.tokens, offset);
  const touched = tree.tokens[at];
  const before = tree.tokens[at - 1];
  const word = touched !== undefined && isWord(touched, offset) ? touched : null;
  if (word === null && inComment(tree.text, before?.end ?? 0, offset)) return null;
  const section = sectionAt(tree, offset);
  const block = blockAt(section, offset);
  const line = word === null ? openLine(tree, block, before, offset) : lineOf(block, word);
  const words = line?.words ?? (block === null ? (section?.keys ?? []) : []);
  const index = word === null ? words.filter(({ end }) => end <= offset).length : words.indexOf(word);
  const prefix = word === null ? '' : tree.text.slice(word.start, offset);
  return { offset, section, block, line, index: Math.max(index, 0), word, prefix };
}

/**
 * Reports whether a token is a word. Braces are not words. As an exception, an opening brace directly before the cursor counts, because a
 * placeholder may start there.
 */
function isWord(token: LocatedToken, offset: number): boolean {
  if (token.start > offset || isBare(token, '}')) return false;
  return !isBare(token, '{') || token.end === offset;
}

/** Returns the index of the first token that ends at or after an offset. */
function firstFrom(tokens: readonly LocatedToken[], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(tokens, middle).end < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Reports whether an offset is inside a comment. Only whitespace, backslashes and comments occur between tokens. */
function inComment(text: string, from: number, offset: number): boolean {
  const gap = text.slice(from, offset);
  return gap.slice(gap.lastIndexOf('\n') + 1).includes('#');
}

function sectionAt({ sections }: CaddyfileTree, offset: number): Section | null {
  for (const section of sections) {
    const start = section.keys[0]?.start ?? section.block?.start ?? 0;
    const end = section.block === null ? (section.keys.at(-1)?.end ?? start) : section.block.end;
    if (offset >= start && offset <= end) return section;
  }
  return null;
}

function blockAt(section: Section | null, offset: number): Block | null {
  let found: Block | null = null;
  for (let block = section?.block ?? null; block !== null;) {
    if (offset < block.start || offset > block.end) break;
    found = block;
    block = block.lines.find((line) => line.block !== null && isIn(line.block, offset))?.block ?? null;
  }
  return found;
}

function isIn({ start, end }: Block, offset: number): boolean {
  return start <= offset && offset <= end;
}

function lineOf(block: Block | null, word: LocatedToken): Line | null {
  return block?.lines.find(({ words }) => words.includes(word)) ?? null;
}

/**
 * Returns the line that the cursor continues, if the cursor follows the line's last word. Returns `null` if there is an unescaped line
 * break in between.
 */
function openLine(
  { text }: CaddyfileTree,
  block: Block | null,
  before: LocatedToken | undefined,
  offset: number,
): Line | null {
  if (before === undefined || block === null) return null;
  if (
    text
      .slice(before.end, offset)
      .replaceAll(/\\\r?\n/g, '')
      .includes('\n')
  )
    return null;
  return lineOf(block, before);
}
