/** Reads what a fleet has from its store: the last snapshot, and the log since. */
import { beginning } from '../entry.ts';
import type { FleetStore, Snapshot } from '../store.ts';
import { ForkError, placeAfter } from './known-log.ts';

/** The end of the log; `null` where there is no fleet yet. A {@link ForkError} if snapshot and log do not fit. */
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
    // It was trimmed meanwhile: there is a newer snapshot now.
    if (attempt === 5) throw new ForkError('the store contains only part of the log, and no snapshot', head);
  }
}
