/**
 * Follows the log of the fleet: takes entries as they come, applies them as differences, and finds by looking at the head whatever a watch
 * may miss. A history that does not continue the member's is never applied.
 */
import { taskOf, unawaited, type Logger } from '@sluice/base';
import { diff, type Reconciler } from '@sluice/reconciler';
import { beginning, continues, entryAfter, headAt, type Change, type Entry, type Head } from '../entry.ts';
import type { FleetStore, Snapshot, StoreWatch } from '../store.ts';
import type { Surroundings } from '../surroundings.ts';
import { adoptionOf, type Adoption } from './adoption.ts';
import type { Applier } from './applier.ts';
import { checkAlone } from './founding.ts';
import { decide, pause } from './decide.ts';
import { forkError, Overtaken } from './errors.ts';
import { ForkError, type KnownLog } from './known-log.ts';
import type { MemberState, ResyncCause } from './member-state.ts';
import { rebuild } from './rebuild.ts';

const task = taskOf('sluice.fleet');

/** How often the head is read, whatever the watch says, in milliseconds. */
const beatPause = 1000;

/** How long to wait before a store that does not fit is looked at again. */
const secondLook = 200;

/** What a follower works on. */
export interface FollowerOptions {
  readonly name: string;
  readonly reconciler: Reconciler;
  readonly store: FleetStore;
  readonly surroundings: Surroundings;
  readonly log: Logger;
  readonly state: MemberState;
  readonly applier: Applier;
  /** Keeps where in the log the document in force is. */
  readonly keep: (place: Snapshot) => Promise<void>;
  /** Makes the first change of a fleet. */
  readonly firstChange: (patch: Pick<Change, 'patch' | 'inverse'>) => Change;
}

/** The part of a member that follows. */
export class Follower {
  readonly known: KnownLog;
  readonly #options: FollowerOptions;
  #watch: StoreWatch | null = null;
  #cancelBeat: () => void = () => {};
  /** What the store has had, while it is not known where the document in force is. */
  #seen: Head | null = null;
  /** How often the member has taken what was not its own history. */
  #adoptions = 0;
  #closed = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.known = options.applier.known;
  }

  /** Begins at a place whose document is in force; without one, joins as soon as the store can be reached, if that still has what was `seen`. */
  start(place: Snapshot | null, seen: Head | null): void {
    this.#seen = seen;
    if (place !== null) {
      this.known.begin(place);
      this.#options.state.apply(place.head);
      this.#follow();
    }
    this.#beatAfter(0);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelBeat();
    this.#watch?.close();
    await this.#options.applier.close();
  }

  /** Takes what the store has, whatever it is; where it has nothing at all, makes the fleet once more. */
  async adopt(): Promise<void> {
    const { state, store } = this.#options;
    this.#seen = null;
    // Until it is done the member stays forked: what it has does not fit what is looked at meanwhile.
    if ((await store.head()) !== null) await this.#resync('adopted');
    else if (!(await this.#publish())) throw forkError('another member recreated the fleet first');
    const { place } = this.known;
    // Where the document stays as it is nothing else saves the place: the member would be forked again at its next start.
    if (place !== null) await this.#options.keep(place);
    this.#adoptions++;
    state.adopt();
    this.#follow();
  }

  /** What {@link adopt} would do. */
  adoption(): Promise<Adoption> {
    const { reconciler, store } = this.#options;
    return adoptionOf(store, reconciler.document, this.known.place?.head ?? this.#seen);
  }

  /** Tries again to apply what could not be applied. */
  async retry(): Promise<void> {
    const { place } = this.known;
    if (this.#options.state.rejected !== null && place !== null)
      await this.#options.applier.bring(place, 'fleet retry');
  }

  /** Reads the log from where it is known, and applies it. `cause`: why the watch did not do. */
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

  /** Rejects with ERR_FLEET_FORKED if a head of the store does not continue what was known. */
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

  /** What has failed as something that is done without a client. */
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

  /** Takes the snapshot and what came since, as a difference from what is in force. */
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

  #beatAfter(milliseconds: number): void {
    const { surroundings } = this.#options;
    this.#cancelBeat();
    if (this.#closed) return;
    this.#cancelBeat = surroundings.after(milliseconds, () => {
      this.#inBackground(this.#beat().finally(() => this.#beatAfter(beatPause)));
    });
  }

  /** What the watch might miss is found here: the store is back or away, ends elsewhere, or has another history. */
  async #beat(): Promise<void> {
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

  /** Compares what the store has had with what it has now. Rejects with a {@link ForkError}. */
  async #checkSeen(): Promise<void> {
    if (this.#seen === null) return;
    const { store } = this.#options;
    const head = await store.head();
    this.known.check(head, this.#seen);
    const { rev } = this.#seen;
    const next = head === null || head.rev === rev ? null : await store.log(rev + 1, rev + 1);
    if (!continues(this.#seen, head, next?.[0]))
      throw new ForkError(`revision ${rev + 1} of the store does not follow this member's history`, head);
  }

  /** Makes the fleet, with the document that is in force; whether another member was not faster. */
  #publish(): Promise<boolean> {
    const { reconciler, store, state, log, surroundings, keep, firstChange } = this.#options;
    return reconciler.exclusive(async () => {
      const { document } = reconciler;
      const lineage = surroundings.id();
      const change = firstChange({ patch: diff(null, document), inverse: diff(document, null) });
      const entry = entryAfter(beginning(lineage), change);
      try {
        await decide(store, { base: null, lineage, entry }, surroundings);
      } catch (error) {
        if (error instanceof Overtaken) return false; // The next beat joins it.
        throw error;
      }
      const place = { head: headAt(lineage, entry), document };
      log.info('created the fleet with the current document', { rev: entry.rev, lineage });
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

  /** Looks again before it calls the store forked, as a node of it may have been asked that was not up to date. */
  async #suspect({ message }: ForkError): Promise<void> {
    const { state, log, surroundings } = this.#options;
    if (this.#closed || state.fork !== null) return;
    this.known.drop();
    const adoptions = this.#adoptions;
    try {
      await pause(secondLook, surroundings);
      await this.#verify();
      log.warn('store history diverged briefly and is consistent again', { reason: message });
    } catch (error) {
      if (!(error instanceof ForkError)) state.lose(error);
      else if (adoptions === this.#adoptions) this.#fork(error); // Else it is about what the member had before.
    }
  }

  /** Compares what this member has with what the store has now. Rejects with a {@link ForkError}. */
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
    log.error("store history differs from this member's, which keeps its own", { reason: message });
  }
}
