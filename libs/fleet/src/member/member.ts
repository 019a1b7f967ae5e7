/**
 * A fleet member, which submits each change of the reconciler to the store and applies changes from other members.
 *
 * Serving requests never depends on the store. Changing the configuration does.
 */
import type { Logger } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';
import type { MadeModule } from '@sluice/registry';
import type { Head } from '../entry.ts';
import type { FleetStore, Snapshot } from '../store.ts';
import type { MemberEnvironment } from '../environment.ts';
import type { Adoption } from './adoption.ts';
import { Applier } from './applier.ts';
import { Author } from './author.ts';
import { Follower } from './follower.ts';
import { MemberState } from './member-state.ts';
import { keepSnapshots } from './snapshots.ts';

interface MemberOptions {
  readonly reconciler: Reconciler;
  readonly store: FleetStore;
  readonly name: string;
  readonly environment: MemberEnvironment;
  readonly log: Logger;
  /** Persists the log position of the active document. If this function rejects, the client receives the error. */
  readonly keep?: (place: Snapshot) => Promise<void>;
  /** Rejects a change if other members cannot load the modules that the change creates. Runs before the change is logged. */
  readonly check?: (made: readonly MadeModule[]) => Promise<void>;
}

/** A fleet member. After creating a member, call `start`, and finally `close`. */
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
    environment,
    log,
    keep = async () => {},
    check = async () => {},
  }: MemberOptions) {
    const state = new MemberState(environment, log);
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
    const shared = { reconciler, store, environment, state, applier };
    this.#follower = new Follower({
      ...shared,
      name,
      log,
      keep,
      firstChange: (patch) => this.#author.describe({ op: environment.id(), ...patch }),
    });
    this.#author = new Author({ ...shared, name, follower: this.#follower, check, onMade: snapshots });
  }

  /** Last known revision and its document. `null` until the member has joined the fleet. */
  get place(): Snapshot | null {
    return this.#follower.known.place;
  }

  /** Revision of the reconciler's document, even if it has not been announced yet. 0 if there is none. */
  get revision(): number {
    return this.#follower.known.revisionOf(this.#reconciler.document) ?? this.state.applied?.rev ?? 0;
  }

  /** Returns the revision of an operation. Returns `null` unless this member performed the operation recently. */
  revisionOf(op: string): number | null {
    return this.#author.revisionOf(op);
  }

  /**
   * Submits subsequent reconciler changes to the fleet. Changes are rejected until the member has joined. `first` is the operation that
   * activates the initial document.
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
   * Starts following the fleet. `head` is the log position of the reconciler's document, if known.
   *
   * If `head` is `null`, the member joins once the store is available. It adopts the fleet document, or creates the fleet with its own
   * document.
   *
   * `seen` is the last known head of the store, if the position of the document is unknown.
   */
  start(head: Head | null, seen: Head | null = null): void {
    this.#follower.start(head === null ? null : { head, document: this.#reconciler.document }, seen);
  }

  /** Ignores reconciler changes from now on. A flag is necessary because hooks cannot be removed. */
  leave(): void {
    this.#hasLeft = true;
  }

  /** Stops following the fleet. Does not affect the reconciler. */
  async close(): Promise<void> {
    this.state.close();
    await this.#follower.close();
  }

  /** Adopts the store's history after a fork. */
  adopt(): Promise<void> {
    return this.#follower.adopt();
  }

  /** Describes the changes that {@link adopt} would make. */
  adoption(): Promise<Adoption> {
    return this.#follower.adoption();
  }

  /** Tries again to apply the rejected revision. */
  retry(): Promise<void> {
    return this.#follower.retry();
  }
}
