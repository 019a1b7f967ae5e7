/** The part of the fleet log that a member has read: the last position, the document at this position, and pending entries. */
import { messageOf, SluiceError, type Json } from '@sluice/base';
import { applyOperations } from '@sluice/reconciler';
import type { PatchOperation } from '@sluice/registry';
import { beginning, follows, headAt, sameHead, type Entry, type Head } from '../entry.ts';
import type { Snapshot } from '../store.ts';
import { touches } from './same-edit.ts';

/** Configuration locations that other members have changed. */
export type Touches = ReturnType<typeof touches>;

/** Log entries that are applied together, and the position after them. */
export interface Batch {
  readonly entries: readonly Entry[];
  readonly place: Snapshot;
  readonly touches: Touches;
}

/** Error for an entry or head that does not continue the member's history. */
export class ForkError extends SluiceError {
  readonly theirs: Head | null;

  constructor(message: string, theirs: Head | null) {
    super('ERR_FLEET_FORKED', message, { status: 409 });
    this.theirs = theirs;
  }
}

/** The fleet log as one member has read it. Entries that do not continue this log are rejected as a fork. */
export class KnownLog {
  readonly #incoming = new Map<number, Entry>();
  readonly #revisions = new WeakMap<object, number>();
  #place: Snapshot | null = null;

  /** Current position. `null` until the member reads the log. */
  get place(): Snapshot | null {
    return this.#place;
  }

  get rev(): number {
    return this.#place?.head.rev ?? 0;
  }

  get next(): Entry | undefined {
    return this.#incoming.get(this.rev + 1);
  }

  /** Moves to a position that was determined without log entries. */
  begin(place: Snapshot): void {
    this.#place = place;
    this.note(place);
    this.#forget();
  }

  /** Records the revision of a document. A document can become active before its log entry is confirmed. */
  note({ head, document }: Snapshot): void {
    if (typeof document === 'object' && document !== null) this.#revisions.set(document, head.rev);
  }

  /**
   * Returns the revision of a document. The document may already be active but not yet announced. Returns `null` if the revision is
   * unknown.
   */
  revisionOf(document: Json): number | null {
    return typeof document === 'object' && document !== null ? (this.#revisions.get(document) ?? null) : null;
  }

  /** Adds a log entry that the member received. Reports whether all previous entries have been received too. */
  offer(entry: Entry): boolean {
    if (entry.rev === this.rev && this.#place !== null && entry.hash !== this.#place.head.hash)
      throw new ForkError(
        `revision ${entry.rev} in the store differs from the same revision on this member`,
        headOf(this.#place, entry),
      );
    if (entry.rev > this.rev) this.#incoming.set(entry.rev, entry);
    return entry.rev <= this.rev || this.next !== undefined;
  }

  take(): Batch | null {
    const entries: Entry[] = [];
    const touched: Touches[number][] = [];
    let place = this.#place;
    for (;;) {
      const entry = this.#incoming.get((place?.head.rev ?? 0) + 1);
      if (entry === undefined || (entry.confirm !== undefined && entries.length > 0)) break;
      const next = placeAfter(place, entry);
      touched.push(...touches({ before: place?.document ?? null, operations: operationsOf(entry) }));
      entries.push(entry);
      place = next;
      if (entry.confirm !== undefined) break;
    }
    if (place === null || place === this.#place) return null;
    this.begin(place);
    return { entries, place, touches: touched };
  }

  /** Throws if the store's head does not continue the log that was known when reading started. */
  check(theirs: Head | null, known: Head | null = this.#place?.head ?? null): void {
    if (known === null) return;
    if (theirs === null) throw new ForkError('the store has lost the log of the fleet', null);
    if (theirs.lineage !== known.lineage) throw new ForkError('the store contains the log of another fleet', theirs);
    if (theirs.rev < known.rev)
      throw new ForkError(`the store ends at revision ${theirs.rev} and has lost later revisions`, theirs);
    if (theirs.rev === known.rev && !sameHead(theirs, known))
      throw new ForkError(`revision ${theirs.rev} in the store differs from the same revision on this member`, theirs);
  }

  /** Drops received entries. */
  drop(): void {
    this.#incoming.clear();
  }

  #forget(): void {
    for (const rev of this.#incoming.keys()) if (rev <= this.rev) this.#incoming.delete(rev);
  }
}

/** Returns the position after an entry. Throws a {@link ForkError} if the entry does not directly follow the position. */
export function placeAfter(place: Snapshot | null, entry: Entry): Snapshot {
  const head = place?.head ?? beginning(entry.parent);
  if (!follows(head, entry))
    throw new ForkError(
      `revision ${entry.rev} in the store does not follow this member's history`,
      headAt(head.lineage, entry),
    );
  const next = headAt(head.lineage, entry);
  try {
    return { head: next, document: applyOperations(place?.document ?? null, operationsOf(entry)) };
  } catch (error) {
    throw new ForkError(
      `revision ${entry.rev} in the store cannot be computed from the previous revision: ${messageOf(error)}`,
      next,
    );
  }
}

export function operationsOf({ patch }: Pick<Entry, 'patch'>): readonly PatchOperation[] {
  return patch.map(operationOf);
}

function operationOf(operation: Json): PatchOperation {
  const { op, path, value } = operation as {
    readonly op: PatchOperation['op'];
    readonly path: string;
    readonly value: Json;
  };
  return op === 'remove' ? { op, path } : { op, path, value };
}

function headOf({ head: { lineage } }: Snapshot, entry: Entry): Head {
  return headAt(lineage, entry);
}
