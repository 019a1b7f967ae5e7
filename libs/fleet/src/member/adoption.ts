/** What a member would lose and take by adopting the history that the store has. */
import type { Json } from '@sluice/base';
import { diff } from '@sluice/reconciler';
import type { PatchOperation } from '@sluice/registry';
import type { Head } from '../entry.ts';
import type { FleetStore } from '../store.ts';
import { rebuild } from './rebuild.ts';

/** What a member would lose and take by adopting what the store has. */
export interface Adoption {
  /** The revision that this member has, and the one that the store has. */
  readonly ours: number;
  readonly theirs: number;
  /** Whether the store has nothing, so that the fleet is made again with the document of this member. */
  readonly isFounding: boolean;
  /** From the document in force here to that of the store. */
  readonly operations: readonly PatchOperation[];
}

/** Compares a member, by its document in force and its last head, with the store. Changes nothing. */
export async function adoptionOf(store: FleetStore, document: Json, ours: Head | null): Promise<Adoption> {
  const theirs = await rebuild(store);
  return {
    ours: ours?.rev ?? 0,
    theirs: theirs?.head.rev ?? 0,
    isFounding: theirs === null,
    operations: theirs === null ? [] : diff(document, theirs.document),
  };
}
