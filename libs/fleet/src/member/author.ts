/**
 * Commits changes that clients make through this member. After all threads have prepared a change, the store decides whether to accept it.
 * If a concurrent change is accepted first, the edit runs again on the current document, where it must still have the same meaning.
 */
import { isSluiceError, type Json } from '@sluice/base';
import { diff, type Reconciler } from '@sluice/reconciler';
import type { FailedChange, MadeModule, PreparedChange } from '@sluice/registry';
import { storeError } from '../errors.ts';
import { entryAfter, headAt, type Change, type Entry } from '../entry.ts';
import type { FleetStore, Snapshot } from '../store.ts';
import type { MemberEnvironment } from '../environment.ts';
import type { Applier } from './applier.ts';
import { decide, pause } from './decide.ts';
import {
  unavailableError,
  behindError,
  contentionError,
  forkError,
  joiningError,
  MadeBefore,
  movedError,
  Overtaken,
} from './errors.ts';
import type { Follower } from './follower.ts';
import { ForkError, operationsOf, type Batch, type Touches } from './known-log.ts';
import type { MemberState } from './member-state.ts';
import { isSameEdit, touches, type Attempt } from './same-edit.ts';

/** Maximum number of attempts to apply an edit after changes from other members. */
const maxAttempts = 10;

/** Maximum age in milliseconds at which a store response counts as recent. Also the maximum time to wait for a response. */
const heardPause = 1500;
const responsePause = 800;

const maxRevisions = 1000;

export interface AuthorOptions {
  readonly name: string;
  readonly reconciler: Reconciler;
  readonly store: FleetStore;
  readonly environment: MemberEnvironment;
  readonly state: MemberState;
  readonly applier: Applier;
  readonly follower: Follower;
  /** Throws if another member cannot load a change. */
  readonly check: (made: readonly MadeModule[]) => Promise<void>;
  /** Callback invoked with each new log entry that this member creates, and the position after the entry. */
  readonly onMade: (entry: Entry, place: Snapshot) => void;
}

/** A change made on this member. Excludes the fields that are the same for all changes of the member. */
type OwnChange = Omit<Change, 'who' | 'when' | 'requires'> & {
  readonly by?: string | null;
  readonly requires?: readonly string[];
};

/** An edit in progress, which may have to be repeated. */
interface Run {
  readonly first: Attempt;
  readonly base: number;
  /** Locations that other members have changed since the edit started. */
  readonly touches: Touches[number][];
}

export class Author {
  readonly #options: AuthorOptions;
  readonly #runs = new Map<string, Run>();
  /** Revisions of recent operations, keyed by operation ID. */
  readonly #revisions = new Map<string, number>();
  /** The change being committed, its log position, and the previous document. Set once the entry is in the log. */
  #made: { readonly entry: Entry; readonly place: Snapshot; readonly before: Json } | null = null;

  constructor(options: AuthorOptions) {
    this.#options = options;
  }

  get leadsTo(): Snapshot | null {
    return this.#made?.place ?? null;
  }

  /** Returns the revision of an operation. Returns `null` unless this member performed the operation recently. */
  revisionOf(op: string): number | null {
    return this.#revisions.get(op) ?? null;
  }

  /** Records the locations of other members' changes. */
  note({ touches: those }: Pick<Batch, 'touches'>): void {
    for (const run of this.#runs.values()) run.touches.push(...those);
  }

  /** Adds to a change the fields that all of this member's changes have in common. */
  describe({ by = null, requires = [], ...change }: OwnChange): Change {
    const { name, environment } = this.#options;
    return { ...change, who: by === null ? name : `${name} ${by}`, when: environment.now(), requires };
  }

  /** Rejects a change within a second if the store does not respond. The check runs before anything is built or sent. */
  async checkStore(origin: string): Promise<void> {
    const { store, state, follower, environment } = this.#options;
    const isOwn = !origin.startsWith('fleet') && !origin.startsWith('undo');
    if (!isOwn || follower.known.place === null || state.fork !== null || state.hasHeard(heardPause)) return;
    const late = pause(responsePause, environment).then(() => storeError('no response within one second'));
    const failure = store.head().then(
      () => null,
      (error: unknown) => error,
    );
    const error: unknown = await Promise.race([failure, late]);
    if (error !== null) throw this.#outage(error);
    state.reach();
  }

  /** Hook for `prepared`. */
  async prepared({
    op,
    before,
    after,
    operations,
    attempt,
    by,
    confirmWithin,
    made,
    request,
  }: PreparedChange): Promise<void> {
    if (this.#options.applier.applies(op) || operations.length === 0) return;
    const place = this.#checkChange();
    if (before !== place.document)
      throw behindError(place.head.rev, 'the document in effect on this member has changed');
    const run = this.#runs.get(op) ?? { first: { before, operations }, base: place.head.rev, touches: [] };
    this.#runs.set(op, run);
    if (attempt > 1 && !isSameEdit(run.first, { before, operations }, run.touches))
      throw movedError(run.base, place.head.rev);
    const modules = made();
    await this.#options.check(modules);
    const requires = [...new Set(modules.map(({ id }) => id))].toSorted();
    const wait = confirmWithin === null ? {} : { confirm: { within: confirmWithin } };
    const entry = await this.#swap(place, {
      op,
      by,
      requires,
      patch: operations,
      inverse: diff(after, before),
      ...wait,
      ...(request === undefined ? {} : { request }),
    });
    this.#made = { entry, place: { head: headAt(place.head.lineage, entry), document: after }, before };
    this.#options.follower.known.note(this.#made.place);
  }

  /** Hook for `confirming`. */
  async confirming(): Promise<void> {
    const { applier, follower, state, environment } = this.#options;
    if (applier.isConfirmed) return;
    const place = this.#checkChange();
    const { rev } = place.head;
    try {
      const entry = await this.#swap(place, { op: environment.id(), patch: [], inverse: [], confirm: { of: rev } });
      const next = { head: headAt(place.head.lineage, entry), document: place.document };
      follower.known.begin(next);
      state.apply(next.head);
    } catch (error) {
      throw error instanceof Overtaken ? contentionError(rev, error.head?.rev ?? rev) : error;
    }
  }

  /** Hook for `refused`. */
  refused(): void {
    this.#made = null;
  }

  /** Hook for `committed`. */
  committed(): void {
    const { reconciler, follower, state, onMade } = this.#options;
    if (this.#made === null) return;
    const { entry, place, before } = this.#made;
    this.#made = null;
    this.#runs.delete(entry.op);
    this.#revisions.set(entry.op, entry.rev);
    if (this.#revisions.size > maxRevisions) this.#revisions.delete(this.#revisions.keys().next().value ?? '');
    // Another edit on this member may have failed because of the same concurrent change. The other edit will run after this edit.
    if (this.#runs.size > 0) this.note({ touches: touches({ before, operations: operationsOf(entry) }) });
    follower.known.begin(place);
    state.apply(place.head);
    if (reconciler.unconfirmed === null) onMade(entry, place);
  }

  /** Implements the `overtaken` hook. Resolves to true if the edit must run again. */
  async overtaken({ op, attempt, error }: FailedChange): Promise<boolean> {
    const { state, environment, follower } = this.#options;
    const run = this.#runs.get(op);
    if (run === undefined) return false;
    const isLast = !(error instanceof Overtaken) || attempt === maxAttempts;
    if (isLast) this.#runs.delete(op);
    if (!(error instanceof Overtaken) && !(error instanceof MadeBefore)) return false;
    state.countConflict();
    try {
      if (!isLast) await pause(environment.random() * 10 * attempt, environment);
      await follower.catchUp(null);
    } catch (failure) {
      this.#runs.delete(op);
      await follower.fail(failure);
      if (error instanceof MadeBefore) throw error;
      if (failure instanceof ForkError) throw forkError(failure.message);
      throw this.#outage(failure);
    }
    if (!isLast) return true;
    throw error instanceof MadeBefore ? error : contentionError(run.base, follower.known.rev);
  }

  /** Submits a change to the store. Rejects with an error for the client, or with {@link Overtaken}. */
  async #swap(place: Snapshot, change: OwnChange): Promise<Entry> {
    const { store, state, environment, follower } = this.#options;
    const { head } = place;
    const entry = entryAfter(head, this.describe(change));
    try {
      await decide(store, { base: head, lineage: head.lineage, entry }, environment);
    } catch (error) {
      if (error instanceof Overtaken) follower.checkHead(error.head, head);
      throw isStoreError(error) ? this.#outage(error) : error;
    }
    state.reach();
    return entry;
  }

  #outage(error: unknown): unknown {
    const { state, environment } = this.#options;
    state.lose(error);
    return isStoreError(error) ? unavailableError(state.outage?.since ?? environment.now(), error) : error;
  }

  /** Returns the log position of the active document. Throws if this member must not change the document at present. */
  #checkChange(): Snapshot {
    const { follower, state } = this.#options;
    const { fork, rejected, outage } = state;
    const { place } = follower.known;
    if (fork !== null) throw forkError(fork.reason);
    if (rejected !== null) throw behindError(rejected.rev, rejected.message);
    if (place === null)
      throw outage === null ? joiningError(state.since) : unavailableError(outage.since, null, outage.reason);
    return place;
  }
}

function isStoreError(error: unknown): boolean {
  return isSluiceError(error) && error.code === 'ERR_FLEET_STORE';
}
