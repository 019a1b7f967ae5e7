/** When a snapshot is saved, and how much of the log is kept. */
import { messageOf, taskOf, unawaited, type Logger } from '@sluice/base';
import { encodeEntry, type Entry } from '../entry.ts';
import type { FleetStore, Snapshot } from '../store.ts';

/** Entries between two snapshots, characters of entries after which there is one anyway, and entries that are kept. */
const limits = { entries: 256, size: 1_048_576, kept: 1000 };

/**
 * Returns what is called with each entry that the member learns of, and with where the member is if the entry is its own: who makes the
 * entry that is due for a snapshot saves it. What fails is made up for by the next.
 */
export function keepSnapshots(store: FleetStore, log: Logger): (entry: Entry, own: Snapshot | null) => void {
  let size = 0;
  return (entry, own) => {
    size += encodeEntry(entry).length;
    const isDue = entry.rev % limits.entries === 0 || size >= limits.size;
    if (!isDue) return;
    size = 0;
    if (own !== null) unawaited(taskOf('sluice.fleet'), save(store, own, log));
  };
}

async function save(store: FleetStore, place: Snapshot, log: Logger): Promise<void> {
  try {
    await store.saveSnapshot(place);
    const keep = place.head.rev - limits.kept + 1;
    if (keep > 1) await store.trim(keep);
  } catch (error) {
    log.warn('failed to save fleet snapshot; will retry with the next one', { error: messageOf(error) });
  }
}
