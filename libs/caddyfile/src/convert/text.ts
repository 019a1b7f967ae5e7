/** Lines as text. */
import type { Json } from '@sluice/base';
import type { Line } from '../inverse/written.ts';

/** The text of lines, indented with tabs as `fmt` does it. */
export function printLines(lines: readonly Line[], depth = 0): string {
  return lines.map((line) => printLine(line, depth)).join('');
}

function printLine({ words, block, comment }: Line, depth: number): string {
  const indent = '\t'.repeat(depth);
  if (comment !== undefined)
    return comment
      .split('\n')
      .map((each) => `${indent}# ${each}\n`)
      .join('');
  const head = `${indent}${words.map(quote).join(' ')}`;
  if (block === undefined) return `${head}\n`;
  return `${head}${words.length === 0 ? '' : ' '}{\n${printLines(block, depth + 1)}${indent}}\n`;
}

const plain = /^(?!#|<<)[^\s"`\\]+$/;

/** A word in quotes where it needs them. */
function quote(word: string): string {
  if (plain.test(word) && word !== '{' && word !== '}' && !opensBlock(word)) return word;
  if (!word.includes('"') && !word.includes('\\') && !word.includes('\n')) return `"${word}"`;
  if (!word.includes('`')) return `\`${word}\``;
  return `"${word.replaceAll('"', String.raw`\"`)}"`;
}

/** A brace at the end of a line would open a block. */
function opensBlock(word: string): boolean {
  return word.endsWith('{');
}

/** JSON for a comment: variables of the environment are replaced in comments, too, and must not be found there. */
export function commentJson(value: Json): string {
  return JSON.stringify(value).replaceAll('{$', String.raw`{\u0024`);
}
