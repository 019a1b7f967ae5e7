/** `sluice fmt`: formats a Caddyfile. */
import { readFileSync, writeFileSync } from 'node:fs';
import { diffLines, formatCaddyfile } from '@sluice/caddyfile';
import { messageOf } from '@sluice/base';
import { CommandError } from '../../failure.ts';

export interface FmtOptions {
  readonly config?: string;
  readonly overwrite?: boolean;
  readonly diff?: boolean;
  readonly arguments?: readonly string[];
}

/** Prints the formatted Caddyfile or a diff, or overwrites the file. Fails if the file needs formatting and is not overwritten. */
export function fmt({ config, overwrite, diff, arguments: [argument, ...more] = [] }: FmtOptions): number {
  if (more.length > 0) throw new CommandError(`fmt accepts a single file; unexpected ${more.join(', ')}`);
  const file = argument ?? config ?? 'Caddyfile';
  const text = read(file);
  const formatted = formatCaddyfile(text);
  if (overwrite === true && file !== '-') {
    if (formatted !== text) write(file, formatted);
    return 0;
  }
  process.stdout.write(diff === true ? diffLines(text, formatted) : formatted);
  if (formatted === text || file === '-') return 0;
  const line = firstDifference(text, formatted);
  throw new CommandError(
    `${file}:${line}: Caddyfile input is not formatted; use --overwrite to change the file in place`,
  );
}

function read(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(`reading input file: ${messageOf(error)}`, error);
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandError(`overwriting formatted file: ${messageOf(error)}`, error);
  }
}

function firstDifference(text: string, formatted: string): number {
  const lines = text.split('\n');
  const after = formatted.split('\n');
  const different = after.findIndex((line, at) => line !== lines[at]);
  return different < 0 ? after.length : different + 1;
}
