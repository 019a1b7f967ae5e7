/** What was applied, and what waits to be confirmed. Read again with each change of the configuration. */
import { computed, signal } from '@preact/signals';
import { ask } from '../api/client.ts';
import { calls } from '../api/calls.ts';
import type { Operation } from '../base/difference.ts';

/** A change. */
export interface Revision {
  readonly revision: number;
  readonly time: string;
  readonly origin: string;
  readonly by?: string;
  readonly confirm_by?: string;
  readonly patch: readonly Operation[];
}

/** The newest first; `null` until they are known, or where they may not be read. */
export const revisions = signal<readonly Revision[] | null>(null);

/** The change that is undone unless it is confirmed. */
export const unconfirmed = computed(() => revisions.value?.find((each) => each.confirm_by !== undefined) ?? null);

/** How many the server keeps; the first of them may be as large as the configuration. */
const kept = 100;

/** Reads what is new of them. */
export async function readHistory(): Promise<void> {
  try {
    const known = revisions.value ?? [];
    const news = known[0] === undefined ? [] : await revisionsFrom(known[0].revision);
    // Another server that took its place counts from the beginning again.
    const goesOn = news.at(-1)?.time === known[0]?.time;
    revisions.value = goesOn && news.length > 0 ? [...news, ...known.slice(1)].slice(0, kept) : await revisionsFrom(1);
  } catch {
    revisions.value = null;
  }
}

async function revisionsFrom(from: number): Promise<readonly Revision[]> {
  return (await ask(calls.history({}, from === 1 ? {} : { query: { from } }))).json as readonly Revision[];
}
