/** State of a fleet member: its progress, the problems that block it, and its counters. */
import { isSluiceError, messageOf, silentLogger, SluiceError, type Logger } from '@sluice/base';
import type { Head } from '../entry.ts';
import type { MemberEnvironment } from '../environment.ts';

/** Reasons for loading a snapshot instead of the next log entry. */
export type ResyncCause = 'adopted' | 'behind' | 'gap' | 'trimmed';

/** A revision that the member could not apply. */
export interface Rejected {
  readonly rev: number;
  /** Configuration path of the problem. `null` if unknown. */
  readonly path: string | null;
  readonly message: string;
}

/** State of a member whose store has a different history. */
export interface Fork {
  readonly since: number;
  readonly reason: string;
  readonly ours: Head | null;
  readonly theirs: Head | null;
}

/** State in which the store is unavailable, contains invalid data, or is empty although other members have a history. */
export interface StoreOutage {
  readonly since: number;
  readonly kind: 'unavailable' | 'unreadable' | 'empty';
  readonly reason: string;
}

/** Change origins that represent a reload of the configuration file. A fleet member reads its file only at startup. */
const ofFiles = new Set(['watch', 'signal']);

/** Interval for retrying a rejected revision, in milliseconds. */
const retryPause = 10_000;

/** A client request that waits for a revision. */
interface Waiter {
  readonly rev: number;
  readonly wake: (reached: boolean) => void;
}

export class MemberState {
  applied: Head | null = null;
  rejected: Rejected | null = null;
  fork: Fork | null = null;
  outage: StoreOutage | null = null;
  conflicts = 0;
  /** Start time of this process, in milliseconds since the Unix epoch. */
  readonly since: number;
  forks = 0;
  readonly resyncs: Record<ResyncCause, number> = { adopted: 0, behind: 0, gap: 0, trimmed: 0 };
  readonly #environment: MemberEnvironment;
  readonly #log: Logger;
  #heard = Number.NEGATIVE_INFINITY;
  readonly #waiters = new Set<Waiter>();
  readonly #listeners = new Set<() => void>();
  #lastRev = -1;
  #triedAt = 0;

  constructor(environment: MemberEnvironment, log: Logger = silentLogger) {
    this.#environment = environment;
    this.#log = log;
    this.since = environment.now();
  }

  /** Subscribes to state changes that the member reports. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Records that a revision has become active. */
  apply(head: Head): void {
    this.applied = head;
    this.rejected = null;
    for (const waiter of this.#waiters) if (waiter.rev <= head.rev) this.#wake(waiter, true);
    this.#notify();
  }

  /** Records that a revision could not be applied. */
  reject(rejected: Rejected): void {
    this.rejected = rejected;
    this.#triedAt = this.#environment.now();
    this.#notify();
  }

  diverge(fork: Omit<Fork, 'since'>): void {
    this.fork = { since: this.#environment.now(), ...fork };
    this.forks++;
    this.#notify();
  }

  adopt(): void {
    this.fork = null;
    this.#notify();
  }

  /** Records that the store has responded. */
  reach(): void {
    this.#heard = this.#environment.now();
    if (this.outage === null) return;
    const { kind, since } = this.outage;
    this.outage = null;
    this.#log.info(`fleet store is no longer ${kind}`, { since: new Date(since).toISOString() });
    this.#notify();
  }

  /** Records a store failure. Logs each outage only once. */
  lose(error: unknown): void {
    const kind = kindOfLoss(error);
    if (this.outage?.kind === kind) return;
    const reason = messageOf(error);
    this.#log.warn(`fleet store is ${kind}; serving requests, rejecting changes`, { reason });
    this.outage = { since: this.outage?.since ?? this.#environment.now(), kind, reason };
    this.#notify();
  }

  /** Reports whether the store has responded within the last `within` milliseconds and has not failed since. */
  hasHeard(within: number): boolean {
    return this.outage === null && this.#environment.now() - this.#heard <= within;
  }

  countConflict(): void {
    this.conflicts++;
  }

  countResync(cause: ResyncCause): void {
    this.resyncs[cause]++;
  }

  /** Reports whether the revision has stayed the same since the previous call. */
  lags(rev: number): boolean {
    const isSame = rev === this.#lastRev;
    this.#lastRev = rev;
    return isSame;
  }

  /** Reports whether it is time to retry a rejected revision. */
  retries(): boolean {
    return this.rejected !== null && this.#environment.now() >= this.#triedAt + retryPause;
  }

  /** Throws an error with status 409 if the change is a reload of a configuration file. */
  checkOrigin(origin: string): void {
    if (!ofFiles.has(origin)) return;
    const message =
      'fleet members read the configuration file only at startup; change the configuration through the admin API';
    throw new SluiceError('ERR_FLEET_FILE', message, { status: 409 });
  }

  /** Waits until a revision is active. Resolves to false if this takes longer than `milliseconds`. */
  waitFor(rev: number, milliseconds: number): Promise<boolean> {
    if ((this.applied?.rev ?? 0) >= rev) return Promise.resolve(true);
    return new Promise((resolve) => {
      const cancel = this.#environment.after(milliseconds, () => this.#wake(waiter, false));
      const waiter: Waiter = {
        rev,
        wake: (reached) => {
          cancel();
          resolve(reached);
        },
      };
      this.#waiters.add(waiter);
    });
  }

  close(): void {
    for (const waiter of this.#waiters) this.#wake(waiter, false);
    this.#listeners.clear();
  }

  #wake(waiter: Waiter, reached: boolean): void {
    this.#waiters.delete(waiter);
    waiter.wake(reached);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function kindOfLoss(error: unknown): StoreOutage['kind'] {
  const code = isSluiceError(error) ? error.code : '';
  if (code === 'ERR_FLEET_UNREADABLE') return 'unreadable';
  return code === 'ERR_FLEET_EMPTY' ? 'empty' : 'unavailable';
}
