/**
 * Reads the history of a previous process from a file that history-file.ts writes: a line with a revision and its document, followed by one
 * line per change.
 */
import { readFile, rename } from 'node:fs/promises';
import { applyOperations, diff, History, type HistoryEntry, type Past } from '@sluice/reconciler';
import { messageOf, type Json } from '@sluice/base';
import { parseChecked } from './checked-line.ts';

/** First line: a revision and its document. Revision 0 means no document. */
export interface BaseLine {
  readonly revision: number;
  readonly document: Json;
}

/** Size of the file. */
export interface HistorySize {
  /** Number of changes. */
  lines: number;
  bytes: number;
  /** Size in bytes after the last rewrite. */
  readonly begun: number;
}

export interface FoundPast {
  readonly past: Past | null;
  /** Size of a file that can be appended to; `null` if it must be rewritten. */
  readonly size: HistorySize | null;
  /** A message for the operator with the file name, or `null` if none exists. */
  readonly warning: string | null;
}

/** Maximum number of changes in a history. */
const maxKept = 100;

const nothing: FoundPast = { past: null, size: null, warning: null };

/** Reads a history. Other files are moved aside. If a file is damaged, the part before the damage is used. Never throws. */
export async function readPast(path: string): Promise<FoundPast> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing;
    return { ...nothing, warning: `cannot read the history; starting a new one: ${messageOf(error)}` };
  }
  const [first = '', ...rest] = text.split('\n');
  const base = parsed(first);
  if (!isBase(base)) return setAside(path);
  const history = new History();
  let { document, revision } = base;
  for (const [index, line] of rest.entries()) {
    if (line === '' && index === rest.length - 1) {
      const past = pastOf(history, document);
      return {
        past,
        size: past === null ? null : { lines: index, bytes: text.length, begun: first.length },
        warning: null,
      };
    }
    const entry = parsed(line);
    try {
      if (!isEntry(entry) || entry.revision !== revision + 1) throw new Error('checksum mismatch');
      const next = applyOperations(document, entry.operations);
      // Older changes would be dropped again.
      if (index >= rest.length - 1 - maxKept) history.record(entry, diff(next, document));
      document = next;
      revision = entry.revision;
    } catch (error) {
      // A crash may have truncated the last line, which was never acknowledged.
      const isLast = index === rest.length - 1;
      const warning = isLast
        ? null
        : `${path}:${index + 2} is damaged; ignoring this change and all later ones in the history: ${messageOf(error)}`;
      return { past: pastOf(history, document), size: null, warning };
    }
  }
  return nothing;
}

/** Returns the history. A document without changes can't be rolled back. */
function pastOf(history: History, document: Json): Past | null {
  return history.entries.length === 0 ? null : { history, document };
}

async function setAside(path: string): Promise<FoundPast> {
  const aside = `${path}.set-aside`;
  await rename(path, aside).catch(() => undefined);
  return { ...nothing, warning: `${path} is not a history file or is damaged at the beginning; moved it to ${aside}` };
}

function parsed(line: string): unknown {
  try {
    return parseChecked(line);
  } catch {
    return null;
  }
}

function isBase(line: unknown): line is BaseLine {
  return typeof line === 'object' && line !== null && 'document' in line && Number.isInteger(revisionOf(line));
}

function isEntry(line: unknown): line is HistoryEntry {
  return typeof line === 'object' && line !== null && 'operations' in line && Number.isInteger(revisionOf(line));
}

function revisionOf(line: object): unknown {
  return (line as { revision?: unknown }).revision;
}
