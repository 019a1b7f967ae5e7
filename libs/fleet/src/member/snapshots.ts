/** Saves snapshots of the document and trims the fleet log. */
import { messageOf, taskOf, unawaited, type Logger } from '@sluice/base';
import { encodeEntry, type Entry } from '../entry.ts';
import type { FleetStore, Snapshot } from '../store.ts';

/**
 * Snapshot limits: number of entries between snapshots, total entry size (in characters) that triggers a snapshot earlier, and number of
 * entries to keep.
 */
const limits = { entries: 256, size: 1_048_576, kept: 1000 };

/**
 * Returns a callback that must be invoked for each received entry. For entries that this member created, also pass the position. If a
 * snapshot is due at an entry, the member that created the entry saves the snapshot. If saving fails, no snapshot exists until the next one
 * is due.
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
    log.warn('failed to save fleet snapshot; will retry with the next snapshot', { error: messageOf(error) });
  }
}
