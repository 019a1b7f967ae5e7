/** Line types in the journal of a saved configuration. */
import type { PatchOperation } from '@sluice/registry';
import { formatChecked, parseChecked } from './checked-line.ts';

/** First line of a journal. It contains the hash of the snapshot on which the journal is based. */
export interface BaseLine {
  readonly base: string;
}

/** Changes that were saved together, as a JSON Patch to the previous document. */
export interface ChangeLine {
  readonly operations: readonly PatchOperation[];
}

/** Journal line that announces a snapshot. The snapshot with this hash includes the first `after` changes of the journal. */
export interface CheckpointLine {
  readonly snapshot: string;
  readonly after: number;
}

export type JournalLine = BaseLine | ChangeLine | CheckpointLine;

export function formatLine(line: JournalLine): string {
  return formatChecked(line);
}

/** Parses a journal line without its line break. Returns `null` if the line is incomplete. */
export function parseLine(text: string): JournalLine | null {
  return parseChecked(text) as JournalLine | null;
}
