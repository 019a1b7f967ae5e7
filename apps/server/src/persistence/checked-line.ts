/** JSON lines with a checksum prefix, separated by a space, which reveals lines truncated by a crash. */
import { crc32 } from 'node:zlib';

/** Formats a line, including its line break. */
export function formatChecked(value: object): string {
  const json = JSON.stringify(value);
  return `${checksum(crc32(json))} ${json}\n`;
}

/** Like {@link formatChecked}, for JSON in chunks. */
export function formatCheckedPieces(pieces: readonly string[]): string[] {
  let sum = 0;
  for (const piece of pieces) sum = crc32(piece, sum);
  return [`${checksum(sum)} `, ...pieces, '\n'];
}

/** Parses a line without its line break; `null` if the line is incomplete. */
export function parseChecked(text: string): unknown {
  const json = text.slice(9);
  if (text[8] !== ' ' || text.slice(0, 8) !== checksum(crc32(json))) return null;
  return JSON.parse(json) as unknown;
}

function checksum(sum: number): string {
  return sum.toString(16).padStart(8, '0');
}
