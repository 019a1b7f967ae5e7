/** Builds log pages from the strings that a store returned. */
import { decodeEntry, decodeHead, type Entry } from '@sluice/fleet';
import type { LogPage } from './log-watch.ts';

/** Maximum number of log entries per read. */
export const pageSize = 40;

/** Returns the log page for a read from `from` to `to`. */
export function pageOf(head: string | null, texts: readonly string[], [from, to]: readonly [number, number]): LogPage {
  const end = head === null ? null : decodeHead(head);
  const entries: Entry[] = [];
  for (const text of texts) {
    const entry = decodeEntry(text);
    if (entry.rev !== from + entries.length) break;
    entries.push(entry);
  }
  const cut = entries.length === 0 && end !== null && from <= Math.min(end.rev, to);
  return { entries: cut ? null : entries, head: end };
}

/** Reads all log entries from `from` to `to`, page by page. Returns `null` if the first entry was trimmed. */
export async function allPages(
  read: (from: number, to: number) => Promise<LogPage>,
  from: number,
  to: number,
): Promise<readonly Entry[] | null> {
  const all: Entry[] = [];
  for (;;) {
    const { entries } = await read(from + all.length, to);
    if (entries === null) return null;
    if (entries.length === 0) return all;
    all.push(...entries);
  }
}
