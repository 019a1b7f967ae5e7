/** JSON lines with a checksum prefix and a space as separator. The checksum reveals lines that a crash has truncated. */
import { createReadStream } from 'node:fs';
import { crc32 } from 'node:zlib';

/** Formats an object as a line with a checksum, including the line break. */
export function formatChecked(value: object): string {
  const json = JSON.stringify(value);
  return `${checksum(crc32(json))} ${json}\n`;
}

/** Formats JSON chunks as a line, like {@link formatChecked}. */
export function formatCheckedPieces(pieces: readonly string[]): string[] {
  let sum = 0;
  for (const piece of pieces) sum = crc32(piece, sum);
  return [`${checksum(sum)} `, ...pieces, '\n'];
}

/** Parses a line without its line break. Returns `null` if the line is incomplete. */
export function parseChecked(text: string): unknown {
  const json = text.slice(9);
  if (text[8] !== ' ' || text.slice(0, 8) !== checksum(crc32(json))) return null;
  return JSON.parse(json) as unknown;
}

/** Number of lines in a file, and number of ignored lines. */
export interface ReadLines {
  readonly lines: number;
  readonly damaged: number;
}

/**
 * Reads those lines of a file that contain an object with the given member. Ignores all other lines, because a crash may have truncated the
 * last line. A missing file has no lines.
 */
export async function readChecked<T extends object>(
  path: string,
  member: keyof T & string,
  take: (value: T) => void,
): Promise<ReadLines> {
  let [lines, damaged, rest] = [0, 0, ''];
  const read = (line: string): void => {
    lines++;
    const value = objectIn(line);
    if (value !== null && Object.hasOwn(value, member)) take(value as T);
    else damaged++;
  };
  try {
    // Don't use `readline` to split lines. It also splits at U+2028, which JSON strings may contain.
    for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
      const [first = '', ...more] = chunk.split('\n');
      const ended = [rest + first, ...more];
      rest = ended.pop() ?? '';
      for (const line of ended) read(line);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (rest !== '') read(rest);
  return { lines, damaged };
}

function objectIn(line: string): object | null {
  try {
    const value = parseChecked(line);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function checksum(sum: number): string {
  return sum.toString(16).padStart(8, '0');
}
