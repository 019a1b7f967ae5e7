/**
 * Follows the fleet log and applies its entries as differences. Also polls the head, because a watch can miss changes. Applies a history
 * only if it continues the member's own history.
 */
import { taskOf, unawaited, type Logger } from '@sluice/base';
import { diff, type Reconciler } from '@sluice/reconciler';
import { beginning, continues, entryAfter, headAt, type Change, type Entry, type Head } from '../entry.ts';
import type { FleetStore, Snapshot, StoreWatch } from '../store.ts';
import type { MemberEnvironment } from '../environment.ts';
import { adoptionOf, type Adoption } from './adoption.ts';
import type { Applier } from './applier.ts';
import { checkAlone } from './founding.ts';
import { decide, pause } from './decide.ts';
import { forkError, Overtaken } from './errors.ts';
import { ForkError, type KnownLog } from './known-log.ts';
import type { MemberState, ResyncCause } from './member-state.ts';
import { rebuild } from './rebuild.ts';

const task = taskOf('sluice.fleet');

/** Interval for polling the head, in milliseconds. Polling is independent of the watch. */
const pollInterval = 1000;

/** Delay before a store that appears to have diverged is checked again, in milliseconds. */
const recheckDelay = 200;

export interface FollowerOptions {
  readonly name: string;
  readonly reconciler: Reconciler;
  readonly store: FleetStore;
  readonly environment: MemberEnvironment;
  readonly log: Logger;
  readonly state: MemberState;
  readonly applier: Applier;
  /** Persists the log position of the active document. */
  readonly keep: (place: Snapshot) => Promise<void>;
  /** Creates the first change in the log of a new fleet. */
  readonly firstChange: (patch: Pick<Change, 'patch' | 'inverse'>) => Change;
}

export class Follower {
  readonly known: KnownLog;
  readonly #options: FollowerOptions;
  #watch: StoreWatch | null = null;
  #cancelPoll: () => void = () => {};
  /** Last known head of the store. Used while the log position of the active document is unknown. */
  #seen: Head | null = null;
  /** Number of times that the member has adopted a different history. */
  #adoptions = 0;
  #closed = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.known = options.applier.known;
  }

  /**
   * Starts following the log at the position of the active document. If the position is unknown, the member joins once the store is
   * available, provided that the store still contains `seen`.
   */
  start(place: Snapshot | null, seen: Head | null): void {
    this.#seen = seen;
    if (place !== null) {
      this.known.begin(place);
      this.#options.state.apply(place.head);
      this.#follow();
    }
    this.#pollAfter(0);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelPoll();
    this.#watch?.close();
    await this.#options.applier.close();
  }

  /** Adopts the store's document unconditionally. If the store is empty, recreates the fleet from this member's document. */
  async adopt(): Promise<void> {
    const { state, store } = this.#options;
    this.#seen = null;
    // Keep the forked state until the adoption succeeds. Otherwise, a concurrent check would find two histories.
    if ((await store.head()) !== null) await this.#resync('adopted');
    else if (!(await this.#publish())) throw forkError('another member recreated the fleet first');
    const { place } = this.known;
    // If the document doesn't change, no other code persists the position. If the position is not stored, the member will be forked again
    // after a restart.
    if (place !== null) await this.#options.keep(place);
    this.#adoptions++;
    state.adopt();
    this.#follow();
  }

  /** Describes the changes that {@link adopt} would make. */
  adoption(): Promise<Adoption> {
    const { reconciler, store } = this.#options;
    return adoptionOf(store, reconciler.document, this.known.place?.head ?? this.#seen);
  }

  /** Tries again to apply the rejected revision. */
  async retry(): Promise<void> {
    const { place } = this.known;
    if (this.#options.state.rejected !== null && place !== null)
      await this.#options.applier.bring(place, 'fleet retry');
  }

  /** Applies the log entries after the last known revision. `cause` is the reason why the watch was not sufficient. */
  async catchUp(cause: ResyncCause | null): Promise<void> {
    const { store, state } = this.#options;
    const entries = await store.log(this.known.rev + 1, Number.MAX_SAFE_INTEGER - 1);
    state.reach();
    if (entries === null) {
      await this.#resync('trimmed');
      return;
    }
    if (cause !== null && entries.length > 0) state.countResync(cause);
    for (const entry of entries) this.known.offer(entry);
    await this.#options.applier.apply();
  }

  /** Throws `ERR_FLEET_FORKED` if the store's head does not continue the known head. */
  checkHead(theirs: Head | null, known: Head | null): void {
    const { state } = this.#options;
    try {
      this.known.check(theirs, known);
    } catch (error) {
      if (!(error instanceof ForkError)) throw error;
      this.#fork(error);
    }
    if (state.fork !== null) throw forkError(state.fork.reason);
  }

  /** Handles errors of background tasks. */
  fail(error: unknown): Promise<void> {
    if (error instanceof ForkError) return this.#suspect(error);
    this.#options.state.lose(error);
    return Promise.resolve();
  }

  #follow(): void {
    const { store, state } = this.#options;
    this.#watch?.close();
    if (this.#closed) return;
    this.#watch = store.watch(this.known.rev + 1, {
      entry: (entry) => this.#take(entry),
      trimmed: () => this.#inBackground(this.#resync('trimmed').then(() => this.#follow())),
      forked: (head) => this.#inBackground(Promise.reject(new ForkError('store lost or replaced its history', head))),
      broken: (error) => state.lose(error),
    });
  }

  #take(entry: Entry): void {
    const { state } = this.#options;
    if (this.#closed || state.fork !== null) return;
    state.reach();
    const take = async (): Promise<void> => {
      if (this.known.offer(entry)) await this.#options.applier.apply();
      else await this.catchUp('gap');
    };
    this.#inBackground(take());
  }

  /** Loads the snapshot and the entries after it. Applies the difference to the active document. */
  async #resync(cause: ResyncCause): Promise<void> {
    const { store, state, log } = this.#options;
    const place = await rebuild(store);
    state.reach();
    if (place === null) throw new ForkError('the store has lost the log of the fleet', null);
    if (cause !== 'adopted' && this.known.place !== null) this.known.check(place.head);
    state.countResync(cause);
    log.warn("loading the fleet's document from a snapshot", { cause, rev: place.head.rev });
    await this.#options.applier.bring(place, `fleet resync (${cause})`, cause === 'adopted');
  }

  #pollAfter(milliseconds: number): void {
    const { environment } = this.#options;
    this.#cancelPoll();
    if (this.#closed) return;
    this.#cancelPoll = environment.after(milliseconds, () => {
      this.#inBackground(this.#poll().finally(() => this.#pollAfter(pollInterval)));
    });
  }

  /** Polls the store for events that a watch can miss: an outage, the end of an outage, a different head, or a different history. */
  async #poll(): Promise<void> {
    const { store, state } = this.#options;
    if (state.fork !== null) return;
    if (this.known.place === null) {
      await this.#join();
      return;
    }
    const known = this.known.place.head;
    const head = await store.head();
    state.reach();
    this.known.check(head, known);
    if (head !== null && head.rev > this.known.rev && state.lags(this.known.rev)) {
      await this.catchUp('behind');
      this.#follow();
    }
    if (state.retries()) await this.retry();
  }

  async #join(): Promise<void> {
    const { store, state, log } = this.#options;
    await this.#checkSeen();
    const place = await rebuild(store);
    state.reach();
    if (place !== null) {
      log.info('joined the fleet', { rev: place.head.rev, lineage: place.head.lineage });
      this.#seen = null;
      await this.#options.applier.bring(place, 'fleet join');
      this.#follow();
    } else {
      await checkAlone(store, this.#options.name);
      if (await this.#publish()) this.#follow();
    }
  }

  /** Compares the last known head with the store. Rejects with a {@link ForkError} if they are inconsistent. */
  async #checkSeen(): Promise<void> {
    if (this.#seen === null) return;
    const { store } = this.#options;
    const head = await store.head();
    this.known.check(head, this.#seen);
    const { rev } = this.#seen;
    const next = head === null || head.rev === rev ? null : await store.log(rev + 1, rev + 1);
    if (!continues(this.#seen, head, next?.[0]))
      throw new ForkError(`revision ${rev + 1} in the store does not follow this member's history`, head);
  }

  /** Creates the fleet with the active document. Resolves to false if another member created it first. */
  #publish(): Promise<boolean> {
    const { reconciler, store, state, log, environment, keep, firstChange } = this.#options;
    return reconciler.exclusive(async () => {
      const { document } = reconciler;
      const lineage = environment.id();
      const change = firstChange({ patch: diff(null, document), inverse: diff(document, null) });
      const entry = entryAfter(beginning(lineage), change);
      try {
        await decide(store, { base: null, lineage, entry }, environment);
      } catch (error) {
        if (error instanceof Overtaken) return false; // The next poll joins that fleet.
        throw error;
      }
      const place = { head: headAt(lineage, entry), document };
      log.info('created the fleet with the current configuration', { rev: entry.rev, lineage });
      this.known.begin(place);
      state.apply(place.head);
      await keep(place);
      return true;
    });
  }

  #inBackground(work: Promise<unknown>): void {
    unawaited(
      task,
      work.catch((error: unknown) => this.fail(error)),
    );
  }

  /** Checks the store again before reporting a fork, because a node of the store may have returned outdated data. */
  async #suspect({ message }: ForkError): Promise<void> {
    const { state, log, environment } = this.#options;
    if (this.#closed || state.fork !== null) return;
    this.known.drop();
    const adoptions = this.#adoptions;
    try {
      await pause(recheckDelay, environment);
      await this.#verify();
      log.warn('store history diverged briefly and is consistent again', { reason: message });
    } catch (error) {
      if (!(error instanceof ForkError)) state.lose(error);
      else if (adoptions === this.#adoptions) this.#fork(error); // Otherwise, the error is about a previous history.
    }
  }

  /** Compares this member's history with the store. Rejects with a {@link ForkError} if they are inconsistent. */
  async #verify(): Promise<void> {
    const { store } = this.#options;
    const { place } = this.known;
    await this.#checkSeen();
    const head = await store.head();
    this.known.check(head, place?.head ?? null);
    if (place === null || head === null) return;
    for (const entry of (await store.log(place.head.rev, head.rev)) ?? []) this.known.offer(entry);
    await this.#options.applier.apply();
    this.#follow();
  }

  #fork({ message, theirs }: ForkError): void {
    const { state, log } = this.#options;
    if (state.fork !== null) return;
    this.#watch?.close();
    state.diverge({ reason: message, ours: this.known.place?.head ?? this.#seen, theirs });
    log.error("store history differs from this member's history; keeping this member's history", { reason: message });
  }
}
