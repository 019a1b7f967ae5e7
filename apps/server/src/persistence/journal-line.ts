/**
 * Lines of the journal beside a saved configuration. Each is a checksum and JSON, separated by a space; a line that a crash
 * cut off is told from a whole one by its checksum.
 */
import { crc32 } from 'node:zlib';
import type { PatchOperation } from '@sluice/registry';

/** Begins a journal: it continues the snapshot with this hash. */
export interface BaseLine {
  readonly base: string;
}

/** Changes that were saved together: what makes the next document of the one before. */
export interface ChangeLine {
  readonly operations: readonly PatchOperation[];
}

/** Says that the first `after` changes of this journal are in the snapshot with this hash. */
export interface CheckpointLine {
  readonly snapshot: string;
  readonly after: number;
}

/** A line of a journal. */
export type JournalLine = BaseLine | ChangeLine | CheckpointLine;

/** Writes a line, with its line break. */
export function formatLine(line: JournalLine): string {
  const json = JSON.stringify(line);
  return `${checksum(json)} ${json}\n`;
}

/** Reads a line without its line break; `null` if it is not whole. */
export function parseLine(text: string): JournalLine | null {
  const json = text.slice(9);
  if (text[8] !== ' ' || text.slice(0, 8) !== checksum(json)) return null;
  return JSON.parse(json) as JournalLine;
}

function checksum(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}
