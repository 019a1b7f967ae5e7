/**
 * Reads the history that an earlier process left: a line with a revision and its whole document, then a line for each
 * change since. See history-file.ts, which writes it.
 */
import { readFile, rename } from 'node:fs/promises';
import { applyOperations, diff, History, type HistoryEntry, type Past } from '@sluice/reconciler';
import { messageOf, type Json } from '@sluice/base';
import { parseChecked } from './checked-line.ts';

/** The first line: the document as of a revision, which is 0 where there was none. */
export interface BaseLine {
  readonly revision: number;
  readonly document: Json;
}

/** How much is in a file. */
export interface HistorySize {
  /** Changes. */
  lines: number;
  bytes: number;
  /** Bytes that it began with. */
  readonly begun: number;
}

/** What was found. */
export interface FoundPast {
  readonly past: Past | null;
  /** Of a file that can be appended to; `null` where it has to be written as a whole. */
  readonly size: HistorySize | null;
  /** What a person should know, naming the file; `null` for nothing. */
  readonly warning: string | null;
}

/** As many changes a history keeps. */
const mostKept = 100;

const nothing: FoundPast = { past: null, size: null, warning: null };

/** Reads a history. A file that is none is moved aside; of one that is damaged, what comes before counts. Never throws. */
export async function readPast(path: string): Promise<FoundPast> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing;
    return { ...nothing, warning: `the history cannot be read, and begins again: ${messageOf(error)}` };
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
      if (!isEntry(entry) || entry.revision !== revision + 1) throw new Error('it is not the line that was written');
      const next = applyOperations(document, entry.operations);
      // Older ones would be dropped again.
      if (index >= rest.length - 1 - mostKept) history.record(entry, diff(next, document));
      document = next;
      revision = entry.revision;
    } catch (error) {
      // The last line may be one that a crash cut off: nothing was promised of it.
      const isLast = index === rest.length - 1;
      const warning = isLast
        ? null
        : `${path}:${index + 2} is damaged: the history ends before it: ${messageOf(error)}`;
      return { past: pastOf(history, document), size: null, warning };
    }
  }
  return nothing;
}

/** A base without a change has nothing to go back to. */
function pastOf(history: History, document: Json): Past | null {
  return history.entries.length === 0 ? null : { history, document };
}

async function setAside(path: string): Promise<FoundPast> {
  const aside = `${path}.set-aside`;
  await rename(path, aside).catch(() => undefined);
  return { ...nothing, warning: `${path} is not a history, or damaged at its beginning: it was moved to ${aside}` };
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
