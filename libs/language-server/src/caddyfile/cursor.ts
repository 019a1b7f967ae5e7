/** What stands at a place of a Caddyfile: the block, the line and the word that is being written. */
import type { LocatedToken } from '@sluice/caddyfile';
import { isBare, type Block, type CaddyfileTree, type Line, type Section } from './tree.ts';

/** The place of a cursor. */
export interface Cursor {
  readonly offset: number;
  /** The section that it is in or beside the keys of; `null` between sections. */
  readonly section: Section | null;
  /** The innermost block; `null` outside of blocks. */
  readonly block: Block | null;
  /** The line that it stands on; `null` where a new one begins. */
  readonly line: Line | null;
  /** Which word of the line: 0 is its name. */
  readonly index: number;
  /** The word that it touches; `null` between words. */
  readonly word: LocatedToken | null;
  /** The word up to the cursor. */
  readonly prefix: string;
}

/** Finds what stands at an index of the text; `null` within a comment. */
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

/** A brace is not a word that could be completed; right after it a placeholder may be begun. */
function isWord(token: LocatedToken, offset: number): boolean {
  if (token.start > offset || isBare(token, '}')) return false;
  return !isBare(token, '{') || token.end === offset;
}

/** The first token that ends at an index or after it. */
function firstFrom(tokens: readonly LocatedToken[], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tokens[middle] as LocatedToken).end < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Between tokens there are only white space, backslashes and comments. */
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

/** The line that a cursor after its last word goes on with: no line break is between them, or it is escaped. */
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
