/**
 * A member of a fleet: has the store decide on each change of its reconciler, and applies what other members made. What it serves never
 * waits for the store; what it changes does.
 */
import type { Logger } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';
import type { MadeModule } from '@sluice/registry';
import type { Head } from '../entry.ts';
import type { FleetStore, Snapshot } from '../store.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Adoption } from './adoption.ts';
import { Applier } from './applier.ts';
import { Author } from './author.ts';
import { Follower } from './follower.ts';
import { MemberState } from './member-state.ts';
import { keepSnapshots } from './snapshots.ts';

/** What a member is made of. */
interface MemberOptions {
  readonly reconciler: Reconciler;
  readonly store: FleetStore;
  readonly name: string;
  readonly surroundings: Surroundings;
  readonly log: Logger;
  /** Keeps where in the log the document in force is; what it rejects with is told to the client. */
  readonly keep?: (place: Snapshot) => Promise<void>;
  /** Refuses a change for the modules that it makes, before it is in the log. */
  readonly check?: (made: readonly MadeModule[]) => Promise<void>;
}

/** One member. Make it, `start` it, and `close` it. */
export class Member {
  readonly name: string;
  readonly state: MemberState;
  readonly store: FleetStore;
  readonly #reconciler: Reconciler;
  readonly #keep: (place: Snapshot) => Promise<void>;
  readonly #follower: Follower;
  readonly #author: Author;
  #hasLeft = false;

  constructor({
    reconciler,
    store,
    name,
    surroundings,
    log,
    keep = async () => {},
    check = async () => {},
  }: MemberOptions) {
    const state = new MemberState(surroundings, log);
    const snapshots = keepSnapshots(store, log);
    this.name = name;
    this.store = store;
    this.state = state;
    this.#reconciler = reconciler;
    this.#keep = keep;
    const applier = new Applier({
      reconciler,
      log,
      state,
      onBatch: (batch) => {
        this.#author.note(batch);
        for (const entry of batch.entries) snapshots(entry, null);
      },
    });
    const shared = { reconciler, store, surroundings, state, applier };
    this.#follower = new Follower({
      ...shared,
      name,
      log,
      keep,
      firstChange: (patch) => this.#author.describe({ op: surroundings.id(), ...patch }),
    });
    this.#author = new Author({ ...shared, name, follower: this.#follower, check, onMade: snapshots });
  }

  /** The last revision that the member knows, with its document; `null` before it has joined. */
  get place(): Snapshot | null {
    return this.#follower.known.place;
  }

  /** The revision that the document of the reconciler is of, also while the others are being told; 0 before there is one. */
  get revision(): number {
    return this.#follower.known.revisionOf(this.#reconciler.document) ?? this.state.applied?.rev ?? 0;
  }

  /** The revision that an operation became; `null` if it is none of the last ones of this member. */
  revisionOf(op: string): number | null {
    return this.#author.revisionOf(op);
  }

  /**
   * Has changes of the reconciler decided on by the fleet, from now on; they are refused until the member has joined. `first` is the operation
   * that puts the document in force that it begins with.
   */
  attach(first: string | null = null): void {
    const { hooks } = this.#reconciler;
    const author = this.#author;
    hooks.proposed.tapPromise('fleet', async ({ origin }) => {
      if (this.#hasLeft) return;
      this.state.checkOrigin(origin);
      await author.checkStore(origin);
    });
    hooks.prepared.tapPromise({ name: 'fleet', stage: 1000 }, async (change) => {
      if (change.op !== first && !this.#hasLeft) await author.prepared(change);
    });
    hooks.overtaken.tapPromise('fleet', (change) => author.overtaken(change));
    hooks.confirming.tapPromise('fleet', async () => {
      if (!this.#hasLeft) await author.confirming();
    });
    hooks.refused.tap('fleet', () => author.refused());
    hooks.kept.tap('fleet', ({ waitUntil }) => {
      const next = author.leadsTo ?? this.place;
      if (next !== null && !this.#hasLeft) waitUntil(this.#keep(next));
    });
    hooks.committed.tap('fleet', () => author.committed());
  }

  /**
   * Begins to follow the fleet. `head` is where in the log the reconciler's document is, if that is known. Without it the member joins as soon
   * as the store can be reached: it takes over what the fleet has, or makes the fleet with the document of the reconciler. `seen` is what the
   * store has had, for sure, when the place of the document is not known.
   */
  start(head: Head | null, seen: Head | null = null): void {
    this.#follower.start(head === null ? null : { head, document: this.#reconciler.document }, seen);
  }

  /** Ignores the changes of the reconciler from now on: hooks cannot be untapped. */
  leave(): void {
    this.#hasLeft = true;
  }

  /** Stops to follow. The reconciler stays as it is. */
  async close(): Promise<void> {
    this.state.close();
    await this.#follower.close();
  }

  /** Has the member take what the store has, after it was found to be another history than its own. */
  adopt(): Promise<void> {
    return this.#follower.adopt();
  }

  /** What {@link adopt} would do. */
  adoption(): Promise<Adoption> {
    return this.#follower.adoption();
  }

  /** Tries again to apply what could not be applied. */
  retry(): Promise<void> {
    return this.#follower.retry();
  }
}
