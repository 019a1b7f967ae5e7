/** Formats the source line of an error for terminals, with a caret below the column. */
import { readFileSync } from 'node:fs';

/** Source location in an adapter's error. */
interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Source text at the location. */
  readonly text?: string;
  readonly imports?: readonly { readonly file: string; readonly line: number; readonly snippet: string }[];
}

/** Returns the source frame of an error. Empty if the error has no location, or if the file cannot be read. */
export function sourceFrame(error: unknown): string {
  const position = positionOf(error);
  const line = position === null ? undefined : lineOf(position);
  if (position === null || line === undefined) return '';
  const number = String(position.line);
  const before = line.slice(0, position.column - 1).replace(/[^\t]/g, ' ');
  const first = (position.text ?? '').split('\n')[0] ?? '';
  const marked = line.startsWith(first, position.column - 1) ? first.length : 1;
  const imports = (position.imports ?? []).toReversed();
  return [
    `  ${number} | ${line}`,
    `  ${' '.repeat(number.length)} | ${before}${'^'.repeat(Math.max(1, marked))}`,
    ...imports.map(
      ({ file, line: at, snippet }) => `  imported${snippet === '' ? '' : ` as ${snippet}`} in ${file}:${at}`,
    ),
    '',
  ].join('\n');
}

function positionOf(error: unknown): Position | null {
  if (!(error instanceof Error) || !('position' in error)) return null;
  const { position } = error;
  return typeof position === 'object' && position !== null && 'line' in position ? (position as Position) : null;
}

function lineOf({ file, line }: Position): string | undefined {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[line - 1];
  } catch {
    return undefined;
  }
}
