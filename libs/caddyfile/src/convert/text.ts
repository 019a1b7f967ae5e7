/** Formats Caddyfile lines as text. */
import type { Json } from '@sluice/base';
import type { ConversionDifference, ConversionVerdict } from '@sluice/contracts';
import { quoteWord } from '../inverse/quotes.ts';
import type { Line } from '../inverse/written.ts';

export interface Parts {
  readonly globals: readonly Line[];
  readonly named: readonly Line[];
  readonly sites: readonly Line[];
}

/** Returns lines as text, indented with tabs in the same way as `fmt`. */
export function printLines(lines: readonly Line[], depth = 0): string {
  return lines.map((line) => printLine(line, depth)).join('');
}

function printLine({ words, block, comment, raw }: Line, depth: number): string {
  const indent = '\t'.repeat(depth);
  if (comment !== undefined)
    return comment
      .split('\n')
      .map((each) => `${indent}# ${each}\n`)
      .join('');
  const head = `${indent}${(raw === true ? words : words.map(quoteWord)).join(' ')}`;
  if (block === undefined) return `${head}\n`;
  return `${head}${words.length === 0 ? '' : ' '}{\n${printLines(block, depth + 1)}${indent}}\n`;
}

/** Formats JSON for use in a comment. Escapes environment variables, because Caddyfiles also replace them in comments. */
export function commentJson(value: Json): string {
  return JSON.stringify(value).replaceAll('{$', String.raw`{\u0024`);
}

/** Returns the text of the generated Caddyfile. */
export function printParts({ globals, named, sites }: Parts): string {
  const first = globals.length === 0 ? [] : [{ words: [], block: globals }];
  return [...first, ...named, ...sites].map((part) => printLines([part])).join('\n');
}

/** Returns invalid Caddyfile text as a comment, with the reason. */
export function printUnreadable(text: string, problem: string): string {
  return printLines([{ words: [], comment: `cannot be read back: ${problem}\n${text.trimEnd()}` }]);
}

export function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:#.*)?$/gm, '').trim();
}

const headings: Readonly<Record<ConversionVerdict, string>> = {
  identical: '',
  same: 'This file has the same meaning as the configuration, but the JSON differs in these places:',
  different: 'This file does not represent the whole configuration:',
};

/** Returns a comment for the top of the file that lists the differences. */
export function commentDifferences(verdict: ConversionVerdict, found: readonly ConversionDifference[]): string {
  if (found.length === 0) return '';
  const lines = found.map(({ path, wanted, made }) => {
    const shown = path === '' ? 'the document' : path;
    if (verdict === 'same') return shown;
    const instead = made === undefined ? '' : `, this file produces ${commentJson(made)}`;
    return `${shown}: ${wanted === undefined ? 'not in the document' : commentJson(wanted)}${instead}`;
  });
  return printLines([{ words: [], comment: [headings[verdict], ...lines].join('\n') }]);
}
