/** Reads the current document from a store: the last snapshot and the log entries after it. */
import { beginning } from '../entry.ts';
import type { FleetStore, Snapshot } from '../store.ts';
import { ForkError, placeAfter } from './known-log.ts';

/**
 * Returns the log head with its document. Returns `null` if the fleet does not exist yet. Throws a {@link ForkError} if the snapshot and
 * the log are inconsistent.
 */
export async function rebuild(store: FleetStore): Promise<Snapshot | null> {
  for (let attempt = 1; ; attempt++) {
    const head = await store.head();
    if (head === null) return null;
    const snapshot = await store.snapshot();
    if (snapshot !== null && snapshot.head.lineage !== head.lineage)
      throw new ForkError('the snapshot in the store belongs to another fleet', head);
    let place = snapshot ?? { head: beginning(head.lineage), document: null };
    const entries = await store.log(place.head.rev + 1, head.rev);
    if (entries !== null) {
      for (const entry of entries) place = placeAfter(place, entry);
      if (place.head.rev > 0) return place;
    }
    // The log has been trimmed in the meantime, so a newer snapshot exists. Try again.
    if (attempt === 5) throw new ForkError('the store contains only part of the log and no snapshot', head);
  }
}
