import type { Json } from '@sluice/base';
import { diff } from '@sluice/reconciler';
import type { PatchOperation } from '@sluice/registry';
import type { Head } from '../entry.ts';
import type { FleetStore } from '../store.ts';
import { rebuild } from './rebuild.ts';

/** Result of adopting the store's history on this member. */
export interface Adoption {
  /** Revisions of this member (`ours`) and of the store. */
  readonly ours: number;
  readonly theirs: number;
  /** True if the store is empty. In this case, this member recreates the fleet with its own document. */
  readonly isFounding: boolean;
  /** JSON Patch from this member's active document to the document in the store. */
  readonly operations: readonly PatchOperation[];
}

/** Compares a member's active document and last known head with the store. Does not change anything. */
export async function adoptionOf(store: FleetStore, document: Json, ours: Head | null): Promise<Adoption> {
  const theirs = await rebuild(store);
  return {
    ours: ours?.rev ?? 0,
    theirs: theirs?.head.rev ?? 0,
    isFounding: theirs === null,
    operations: theirs === null ? [] : diff(document, theirs.document),
  };
}
