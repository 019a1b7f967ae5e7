/**
 * Submits a change to the store and determines the result. There are three possible results. The log contains the entry, the log will never
 * contain it, or the result is unknown.
 */
import { isSluiceError } from '@sluice/base';
import type { Entry, Head } from '../entry.ts';
import type { FleetStore } from '../store.ts';
import type { MemberEnvironment } from '../environment.ts';
import { MadeBefore, Overtaken, unknownOutcome } from './errors.ts';

/** Maximum time to determine the result of a change, in milliseconds. */
const timeout = 5000;

export interface Question {
  readonly base: Head | null;
  readonly lineage: string;
  readonly entry: Entry;
}

/**
 * Resolves when the entry is in the log. Rejects with {@link Overtaken} or {@link MadeBefore} if the log will never contain the entry.
 *
 * Rejects with `ERR_FLEET_STORE` if the store did not receive the change, and with `ERR_FLEET_UNKNOWN` after a timeout.
 */
export async function decide(store: FleetStore, question: Question, environment: MemberEnvironment): Promise<void> {
  const { base, lineage, entry } = question;
  const deadline = environment.now() + timeout;
  let isUncertain = false;
  for (;;) {
    try {
      // Sending the entry again is safe, because the log can contain it only once. If the head still equals the base, no earlier attempt
      // has succeeded.
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
      if (environment.now() >= deadline) throw unknownOutcome(entry.op, error);
      await pause(50 + 100 * environment.random(), environment);
    }
  }
}

/** Reports whether the entry at the operation's revision is this entry, rather than an entry from another member. */
async function isOurs(store: FleetStore, rev: number, entry: Entry): Promise<boolean> {
  if (rev !== entry.rev) return false;
  const found = await store.log(rev, rev);
  return found?.[0]?.hash === entry.hash;
}

/** Resolves after the given number of milliseconds. */
export function pause(milliseconds: number, environment: MemberEnvironment): Promise<void> {
  return new Promise((resolve) => void environment.after(milliseconds, resolve));
}
