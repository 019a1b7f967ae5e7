/** Lines of the journal beside a saved configuration. */
import type { PatchOperation } from '@sluice/registry';
import { formatChecked, parseChecked } from './checked-line.ts';

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
  return formatChecked(line);
}

/** Reads a line without its line break; `null` if it is not whole. */
export function parseLine(text: string): JournalLine | null {
  return parseChecked(text) as JournalLine | null;
}
