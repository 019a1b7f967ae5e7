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

/** Reads them. */
export async function readHistory(): Promise<void> {
  try {
    revisions.value = (await ask(calls.history())).json as readonly Revision[];
  } catch {
    revisions.value = null;
  }
}
