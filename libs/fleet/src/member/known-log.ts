/** What a member knows of the log: how far it has read, the document there, and the entries that came and were not taken yet. */
import { messageOf, SluiceError, type Json } from '@sluice/base';
import { applyOperations } from '@sluice/reconciler';
import type { PatchOperation } from '@sluice/registry';
import { beginning, follows, headAt, sameHead, type Entry, type Head } from '../entry.ts';
import type { Snapshot } from '../store.ts';
import { touches } from './same-edit.ts';

/** What others have touched. */
export type Touches = ReturnType<typeof touches>;

/** Entries that were taken together, and where they lead to. */
export interface Batch {
  readonly entries: readonly Entry[];
  readonly place: Snapshot;
  readonly touches: Touches;
}

/** An entry or a head that does not follow what the member has. */
export class ForkError extends SluiceError {
  readonly theirs: Head | null;

  constructor(message: string, theirs: Head | null) {
    super('ERR_FLEET_FORKED', message, { status: 409 });
    this.theirs = theirs;
  }
}

/** The log as one member knows it. Whatever does not continue it is a fork, and is not taken. */
export class KnownLog {
  readonly #incoming = new Map<number, Entry>();
  readonly #revisions = new WeakMap<object, number>();
  #place: Snapshot | null = null;

  /** Where it ends; `null` before anything was read. */
  get place(): Snapshot | null {
    return this.#place;
  }

  get rev(): number {
    return this.#place?.head.rev ?? 0;
  }

  /** The next entry, if it has come. */
  get next(): Entry | undefined {
    return this.#incoming.get(this.rev + 1);
  }

  /** Begins at another place, which is known by other means than entries. */
  begin(place: Snapshot): void {
    this.#place = place;
    this.note(place);
    this.#forget();
  }

  /** Notes what the document of a revision is, which may come into force before the log is known to be there. */
  note({ head, document }: Snapshot): void {
    if (typeof document === 'object' && document !== null) this.#revisions.set(document, head.rev);
  }

  /** The revision that a document is of, which may be in force and not be told of yet; `null` if it is of none. */
  revisionOf(document: Json): number | null {
    return typeof document === 'object' && document !== null ? (this.#revisions.get(document) ?? null) : null;
  }

  /** Notes an entry that came; whether those before it are here, too. */
  offer(entry: Entry): boolean {
    if (entry.rev === this.rev && this.#place !== null && entry.hash !== this.#place.head.hash)
      throw new ForkError(
        `revision ${entry.rev} of the store differs from that of this member`,
        headOf(this.#place, entry),
      );
    if (entry.rev > this.rev) this.#incoming.set(entry.rev, entry);
    return entry.rev <= this.rev || this.next !== undefined;
  }

  /** Takes what came, up to an entry that begins or ends the wait for a confirmation; that one comes alone. `null` if there is nothing. */
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

  /** Says so if what a store has as its head does not continue what was known when it was asked. */
  check(theirs: Head | null, known: Head | null = this.#place?.head ?? null): void {
    if (known === null) return;
    if (theirs === null) throw new ForkError('the store has lost the log of the fleet', null);
    if (theirs.lineage !== known.lineage) throw new ForkError('the store contains the log of another fleet', theirs);
    if (theirs.rev < known.rev)
      throw new ForkError(`the store ends at revision ${theirs.rev}, and has lost later ones`, theirs);
    if (theirs.rev === known.rev && !sameHead(theirs, known))
      throw new ForkError(`revision ${theirs.rev} of the store differs from that of this member`, theirs);
  }

  /** Drops what came and was not taken. */
  drop(): void {
    this.#incoming.clear();
  }

  #forget(): void {
    for (const rev of this.#incoming.keys()) if (rev <= this.rev) this.#incoming.delete(rev);
  }
}

/** The place after an entry; a {@link ForkError} if it is not the next one. */
export function placeAfter(place: Snapshot | null, entry: Entry): Snapshot {
  const head = place?.head ?? beginning(entry.parent);
  if (!follows(head, entry))
    throw new ForkError(
      `revision ${entry.rev} of the store does not follow this member's history`,
      headAt(head.lineage, entry),
    );
  const next = headAt(head.lineage, entry);
  try {
    return { head: next, document: applyOperations(place?.document ?? null, operationsOf(entry)) };
  } catch (error) {
    throw new ForkError(
      `revision ${entry.rev} of the store cannot be derived from the previous one: ${messageOf(error)}`,
      next,
    );
  }
}

/** The operations of an entry. */
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
