/** Lines in the journal of a saved configuration. */
import type { PatchOperation } from '@sluice/registry';
import { formatChecked, parseChecked } from './checked-line.ts';

/** First line of a journal: the hash of the snapshot that the journal continues. */
export interface BaseLine {
  readonly base: string;
}

/** Changes that were saved together, as a JSON Patch for the previous document. */
export interface ChangeLine {
  readonly operations: readonly PatchOperation[];
}

/** States that the first `after` changes of this journal are included in the snapshot with this hash. */
export interface CheckpointLine {
  readonly snapshot: string;
  readonly after: number;
}

export type JournalLine = BaseLine | ChangeLine | CheckpointLine;

export function formatLine(line: JournalLine): string {
  return formatChecked(line);
}

/** Parses a line without its line break; `null` if the line is incomplete. */
export function parseLine(text: string): JournalLine | null {
  return parseChecked(text) as JournalLine | null;
}
