/** Has the store decide on one change: it is in the log, or is not and never will be, or that cannot be found out. */
import { isSluiceError } from '@sluice/base';
import type { Entry, Head } from '../entry.ts';
import type { FleetStore } from '../store.ts';
import type { Surroundings } from '../surroundings.ts';
import { MadeBefore, Overtaken, unknownOutcome } from './errors.ts';

/** How long to ask for what became of a change, in milliseconds. */
const patience = 5000;

/** What is to be decided on. */
export interface Question {
  readonly base: Head | null;
  readonly lineage: string;
  readonly entry: Entry;
}

/**
 * Resolves when the entry is in the log. Rejects with {@link Overtaken} or {@link MadeBefore} when it is not and never will be, with
 * ERR_FLEET_STORE if the store never heard of it, and with ERR_FLEET_UNKNOWN after a while.
 */
export async function decide(store: FleetStore, question: Question, surroundings: Surroundings): Promise<void> {
  const { base, lineage, entry } = question;
  const deadline = surroundings.now() + patience;
  let isUncertain = false;
  for (;;) {
    try {
      // It may be sent again: in the log it is once. While the head is still the base, sending it is what finds out.
      const result = await store.swap(base, lineage, [entry]);
      if (result.outcome === 'swapped') return;
      if (result.outcome === 'lost') throw new Overtaken(result.head);
      isUncertain = true;
      if (await isOurs(store, result.rev, entry)) return;
      throw new MadeBefore(result.rev);
    } catch (error) {
      if (error instanceof Overtaken || error instanceof MadeBefore) throw error;
      if (isSluiceError(error) && error.code === 'ERR_FLEET_UNKNOWN') isUncertain = true;
      if (!isUncertain) throw error;
      if (surroundings.now() >= deadline) throw unknownOutcome(entry.op, error);
      await pause(50 + 100 * surroundings.random(), surroundings);
    }
  }
}

/** Whether the revision that an operation became is this very entry, and not one that was made through another member. */
async function isOurs(store: FleetStore, rev: number, entry: Entry): Promise<boolean> {
  if (rev !== entry.rev) return false;
  const found = await store.log(rev, rev);
  return found?.[0]?.hash === entry.hash;
}

/** Waits. */
export function pause(milliseconds: number, surroundings: Surroundings): Promise<void> {
  return new Promise((resolve) => void surroundings.after(milliseconds, resolve));
}
