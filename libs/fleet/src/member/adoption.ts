import type { Json } from '@sluice/base';
import { diff } from '@sluice/reconciler';
import type { PatchOperation } from '@sluice/registry';
import type { Head } from '../entry.ts';
import type { FleetStore } from '../store.ts';
import { rebuild } from './rebuild.ts';

/** Changes that adopting the store's history makes. */
export interface Adoption {
  /** Revisions of this member and of the store. */
  readonly ours: number;
  readonly theirs: number;
  /** True if the store is empty, so that the fleet is recreated with this member's document. */
  readonly isFounding: boolean;
  /** JSON Patch from this member's active document to the store's document. */
  readonly operations: readonly PatchOperation[];
}

/** Compares a member's active document and last head with the store. Read-only. */
export async function adoptionOf(store: FleetStore, document: Json, ours: Head | null): Promise<Adoption> {
  const theirs = await rebuild(store);
  return {
    ours: ours?.rev ?? 0,
    theirs: theirs?.head.rev ?? 0,
    isFounding: theirs === null,
    operations: theirs === null ? [] : diff(document, theirs.document),
  };
}
