/** One thread's state of a concurrency limit. It survives configuration changes. */
import { performance } from 'node:perf_hooks';
import { taskOf } from '@sluice/base';
import type { SharedCells } from '@sluice/threads';
import { FairLimit, type LimitBounds } from '../common/fair-limit.ts';

const task = taskOf('http.handlers.concurrency_limit');

/** Maximum number of keys in use per thread. The limit is needed because other parts of the server also use shared cells. */
const maxKeys = 4096;
/** Maximum number of idle keys for which shared cells are kept. */
const maxIdle = 1024;

export class Limit {
  readonly name: string;
  users = 0;
  readonly #cells: SharedCells;
  readonly #keys = new Map<string, FairLimit>();
  #bounds: LimitBounds;

  constructor(name: string, cells: SharedCells, bounds: LimitBounds) {
    this.name = name;
    this.#cells = cells;
    this.#bounds = bounds;
  }

  /** Changes the limits. Requests already in the queue stay there, even if the new queue is smaller. */
  set bounds(bounds: LimitBounds) {
    this.#bounds = bounds;
    for (const key of this.#keys.values()) key.watch();
  }

  /** Returns the semaphore for a key, or `null` if there are too many keys. */
  of(key: string): FairLimit | null {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    if (this.#keys.size >= maxKeys) return null;
    const cell = this.#cells.acquire(`concurrency-limit ${JSON.stringify([this.name, key])}`);
    const limit: FairLimit = new FairLimit({
      cell,
      task,
      bounds: () => this.#bounds,
      onIdle: () => this.#idle(key, limit),
    });
    this.#keys.set(key, limit);
    return limit;
  }

  /** Number of running and waiting requests in this thread. */
  get requests(): { readonly running: number; readonly waiting: number } {
    let running = 0;
    let waiting = 0;
    for (const key of this.#keys.values()) {
      running += key.running;
      waiting += key.waiting;
    }
    return { running, waiting };
  }

  close(): void {
    for (const key of this.#keys.values()) key.close();
    this.#keys.clear();
  }

  #idle(key: string, limit: FairLimit): void {
    if (this.#keys.size <= maxIdle) return;
    this.#keys.delete(key);
    limit.close();
  }
}

/** Concurrency limits of a thread, by name. Handlers with the same name share a limit. */
export class LimitTable {
  readonly #limits = new Map<string, Limit>();

  acquire(name: string, cells: SharedCells, bounds: LimitBounds): Limit {
    let limit = this.#limits.get(name);
    if (limit === undefined) this.#limits.set(name, (limit = new Limit(name, cells, bounds)));
    limit.users++;
    return limit;
  }

  release(limit: Limit): void {
    if (--limit.users > 0) return;
    this.#limits.delete(limit.name);
    limit.close();
  }
}

/** Rate limiter for an action. `isDue` returns true at most once per minute. */
export class OncePerMinute {
  #at = Number.NEGATIVE_INFINITY;

  get isDue(): boolean {
    const now = performance.now();
    if (now - this.#at < 60_000) return false;
    this.#at = now;
    return true;
  }
}
