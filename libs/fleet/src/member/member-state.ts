/** What is to be known of a member: how far it is, what keeps it from going on, what it had to do. */
import { isSluiceError, messageOf, silentLogger, SluiceError, type Logger } from '@sluice/base';
import type { Head } from '../entry.ts';
import type { Surroundings } from '../surroundings.ts';

/** Why a member had to take more than the next entry. */
export type ResyncCause = 'adopted' | 'behind' | 'gap' | 'trimmed';

/** A revision that could not be applied. */
export interface Rejected {
  readonly rev: number;
  /** Where in the document; `null` if that is not known. */
  readonly path: string | null;
  readonly message: string;
}

/** A store that has another history. */
export interface Fork {
  readonly since: number;
  readonly reason: string;
  readonly ours: Head | null;
  readonly theirs: Head | null;
}

/** A store that does not respond, that holds what cannot be read, or that is empty although the fleet has members with a history. */
export interface Away {
  readonly since: number;
  readonly kind: 'unavailable' | 'unreadable' | 'empty';
  readonly reason: string;
}

/** Changes of a file that is loaded again: in a fleet it is read at the start alone. */
const ofFiles = new Set(['watch', 'signal']);

/** How often what was refused is tried again, in milliseconds. */
const retryPause = 10_000;

/** Who waits for a revision. */
interface Waiter {
  readonly rev: number;
  readonly wake: (reached: boolean) => void;
}

/** The state of one member. */
export class MemberState {
  applied: Head | null = null;
  rejected: Rejected | null = null;
  fork: Fork | null = null;
  away: Away | null = null;
  conflicts = 0;
  /** When this life of the member began, in milliseconds since 1970. */
  readonly since: number;
  forks = 0;
  readonly resyncs: Record<ResyncCause, number> = { adopted: 0, behind: 0, gap: 0, trimmed: 0 };
  readonly #surroundings: Surroundings;
  readonly #log: Logger;
  #heard = Number.NEGATIVE_INFINITY;
  readonly #waiters = new Set<Waiter>();
  readonly #listeners = new Set<() => void>();
  #lastRev = -1;
  #triedAt = 0;

  constructor(surroundings: Surroundings, log: Logger = silentLogger) {
    this.#surroundings = surroundings;
    this.#log = log;
    this.since = surroundings.now();
  }

  /** Calls back when something is to be told to others; returns how to end it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A revision is in force. */
  apply(head: Head): void {
    this.applied = head;
    this.rejected = null;
    for (const waiter of this.#waiters) if (waiter.rev <= head.rev) this.#wake(waiter, true);
    this.#tell();
  }

  /** A revision cannot be in force. */
  reject(rejected: Rejected): void {
    this.rejected = rejected;
    this.#triedAt = this.#surroundings.now();
    this.#tell();
  }

  diverge(fork: Omit<Fork, 'since'>): void {
    this.fork = { since: this.#surroundings.now(), ...fork };
    this.forks++;
    this.#tell();
  }

  adopt(): void {
    this.fork = null;
    this.#tell();
  }

  /** The store has responded. */
  reach(): void {
    this.#heard = this.#surroundings.now();
    if (this.away === null) return;
    const { kind, since } = this.away;
    this.away = null;
    this.#log.info(`fleet store is no longer ${kind}`, { since: new Date(since).toISOString() });
    this.#tell();
  }

  /** The store has not. One entry in the log for each time. */
  lose(error: unknown): void {
    const kind = kindOfLoss(error);
    if (this.away?.kind === kind) return;
    const reason = messageOf(error);
    this.#log.warn(`fleet store is ${kind}; serving requests, rejecting changes`, { reason });
    this.away = { since: this.away?.since ?? this.#surroundings.now(), kind, reason };
    this.#tell();
  }

  /** Whether the store has responded within the last so many milliseconds, and nothing failed since. */
  hasHeard(within: number): boolean {
    return this.away === null && this.#surroundings.now() - this.#heard <= within;
  }

  countConflict(): void {
    this.conflicts++;
  }

  countResync(cause: ResyncCause): void {
    this.resyncs[cause]++;
  }

  /** Whether nothing has come since this was asked last. */
  lags(rev: number): boolean {
    const isSame = rev === this.#lastRev;
    this.#lastRev = rev;
    return isSame;
  }

  /** Whether it is time to try again what was refused. */
  retries(): boolean {
    return this.rejected !== null && this.#surroundings.now() >= this.#triedAt + retryPause;
  }

  /** Refuses a configuration file that is loaded again: an error of status 409. */
  checkOrigin(origin: string): void {
    if (!ofFiles.has(origin)) return;
    const message =
      'in a fleet the configuration file is read by the first member alone; change the configuration by the admin API';
    throw new SluiceError('ERR_FLEET_FILE', message, { status: 409 });
  }

  /** Resolves with whether a revision is in force, within so many milliseconds. */
  waitFor(rev: number, milliseconds: number): Promise<boolean> {
    if ((this.applied?.rev ?? 0) >= rev) return Promise.resolve(true);
    return new Promise((resolve) => {
      const cancel = this.#surroundings.after(milliseconds, () => this.#wake(waiter, false));
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

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function kindOfLoss(error: unknown): Away['kind'] {
  const code = isSluiceError(error) ? error.code : '';
  if (code === 'ERR_FLEET_UNREADABLE') return 'unreadable';
  return code === 'ERR_FLEET_EMPTY' ? 'empty' : 'unavailable';
}
