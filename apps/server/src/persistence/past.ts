/**
 * Reads the configuration history of a previous process. history-file.ts writes the file. The first line contains a revision with its
 * document, and each further line contains a change.
 */
import { readFile, rename } from 'node:fs/promises';
import { applyOperations, diff, History, type HistoryEntry, type Past } from '@sluice/reconciler';
import { messageOf, type Json } from '@sluice/base';
import { parseChecked } from './checked-line.ts';

/** First line of the file: a revision with its document. Revision 0 means that there is no document. */
export interface BaseLine {
  readonly revision: number;
  readonly document: Json;
}

/** Current size of a history file, and its size after the last rewrite. */
export interface HistorySize {
  /** Number of changes. */
  lines: number;
  bytes: number;
  /** File size after the last rewrite, in bytes. */
  readonly begun: number;
}

export interface FoundPast {
  readonly past: Past | null;
  /** Size of a file to which changes can be appended, or `null` if the file must be rewritten. */
  readonly size: HistorySize | null;
  /** Warning for the operator, with the file name, or `null` if there is none. */
  readonly warning: string | null;
}

/** Maximum number of changes that a history keeps. */
const maxKept = 100;

const nothing: FoundPast = { past: null, size: null, warning: null };

/** Reads a history file. Renames files that are not a history. If a file is corrupted, reads the part before the corruption. Never throws. */
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
      // Skip older changes, because the history would drop them anyway.
      if (index >= rest.length - 1 - maxKept) history.record(entry, diff(next, document));
      document = next;
      revision = entry.revision;
    } catch (error) {
      // Ignore an incomplete last line. A crash may have truncated it, but its change was never acknowledged.
      const isLast = index === rest.length - 1;
      const warning = isLast
        ? null
        : `${path}:${index + 2} is damaged; ignoring the change on this line and all later changes in the history: ${messageOf(error)}`;
      return { past: pastOf(history, document), size: null, warning };
    }
  }
  return nothing;
}

/** Returns the history, or `null` if it has no changes. If there are no changes, there is no document to roll back to. */
function pastOf(history: History, document: Json): Past | null {
  return history.entries.length === 0 ? null : { history, document };
}

async function setAside(path: string): Promise<FoundPast> {
  const aside = `${path}.set-aside`;
  await rename(path, aside).catch(() => undefined);
  return {
    ...nothing,
    warning: `${path} is not a history file or is damaged at the beginning; renamed it to ${aside}`,
  };
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
