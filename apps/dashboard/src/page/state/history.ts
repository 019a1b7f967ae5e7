/** History of configuration changes, and the change that awaits confirmation. Both are reloaded after each configuration change. */
import { signal } from '@preact/signals';
import { ask } from '../api/client.ts';
import { calls } from '../api/calls.ts';
import type { Operation } from '../base/difference.ts';

/** A revision without its patch. */
interface RevisionHead {
  readonly revision: number;
  readonly time: string;
  readonly origin: string;
  readonly by?: string;
  readonly confirm_by?: string;
}

export interface Revision extends RevisionHead {
  readonly patch: readonly Operation[];
}

/**
 * All revisions, newest first. `null` until they are read, or if the token cannot read them. The first revision can be as large as the
 * configuration, so revisions are read only while a view uses them.
 */
export const revisions = signal<readonly Revision[] | null>(null, {
  watched: () => {
    isShown = true;
    if (isOutdated) void readRevisions();
  },
  unwatched: () => void (isShown = false),
});
let isShown = false;
let isOutdated = true;

/** Change that will be rolled back unless it is confirmed, or `null` if there is none. */
export const unconfirmed = signal<RevisionHead | null>(null);

/** Maximum number of revisions in the server's history. */
const kept = 100;

/** Reads new revisions. */
export async function readHistory(): Promise<void> {
  isOutdated = true;
  const reads = [readUnconfirmed()];
  if (isShown) reads.push(readRevisions());
  await Promise.all(reads);
}

async function readUnconfirmed(): Promise<void> {
  try {
    const { json } = await ask(calls.history({}, { query: { patch: false } }));
    const heads = json as readonly RevisionHead[];
    unconfirmed.value = heads.find((each) => each.confirm_by !== undefined) ?? null;
  } catch {
    unconfirmed.value = null;
  }
}

async function readRevisions(): Promise<void> {
  isOutdated = false;
  try {
    const known = revisions.peek() ?? [];
    const news = known[0] === undefined ? [] : await revisionsFrom(known[0].revision);
    // A new server process restarts revision numbers at 1, so compare the time as well.
    const goesOn = news.at(-1)?.time === known[0]?.time;
    revisions.value = goesOn && news.length > 0 ? [...news, ...known.slice(1)].slice(0, kept) : await revisionsFrom(1);
  } catch {
    isOutdated = true;
    revisions.value = null;
  }
}

async function revisionsFrom(from: number): Promise<readonly Revision[]> {
  return (await ask(calls.history({}, from === 1 ? {} : { query: { from } }))).json as readonly Revision[];
}
