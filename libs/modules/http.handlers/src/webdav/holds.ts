/**
 * WebDAV operations in progress, tracked in the control thread. Operations on overlapping resources run one at a time across all threads. A
 * check therefore stays valid until its operation has changed the files.
 */
import { sep } from 'node:path';
import { guarded, taskOf } from '@sluice/base';
import type { Access } from './lock-table.ts';

/** Lease time of a hold, in milliseconds. Threads renew their holds, so a hold expires only if its thread has died. */
export const leaseTime = 60_000;
/** Maximum time an operation waits for overlapping operations, in milliseconds. */
const maxWait = 30_000;
const task = taskOf('http.handlers.webdav');

interface Hold {
  readonly accesses: readonly Access[];
  expires: number;
}

interface Waiting {
  readonly accesses: readonly Access[];
  readonly settle: (id: number) => void;
  readonly timer: NodeJS.Timeout;
}

/** Exclusive holds on WebDAV resources. */
export class Holds {
  readonly #holds = new Map<number, Hold>();
  readonly #waiting = new Set<Waiting>();
  #last = 0;

  get size(): number {
    return this.#holds.size;
  }

  /** Waits for overlapping operations to finish. Resolves to the hold ID, or 0 after a timeout. */
  enter(accesses: readonly Access[]): Promise<number> {
    const held = accesses.filter(({ membership }) => membership !== true);
    if (!this.#overlaps(held) && this.#firstOverlapping(held) === null) return Promise.resolve(this.#add(held));
    return new Promise((resolve) => {
      const settle = (id: number): void => {
        clearTimeout(waiting.timer);
        this.#waiting.delete(waiting);
        resolve(id);
      };
      const giveUp = guarded(task, () => {
        settle(0);
        this.#wake();
      });
      const timer = setTimeout(giveUp, maxWait);
      const waiting: Waiting = { accesses: held, settle, timer: timer.unref() };
      this.#waiting.add(waiting);
    });
  }

  leave(id: number): void {
    if (this.#holds.delete(id)) this.#wake();
  }

  /** Starts waiting operations that are no longer blocked. */
  #wake(): void {
    for (const waiting of [...this.#waiting])
      if (!this.#overlaps(waiting.accesses) && this.#firstOverlapping(waiting.accesses) === waiting)
        waiting.settle(this.#add(waiting.accesses));
  }

  renew(id: number): void {
    const hold = this.#holds.get(id);
    if (hold !== undefined) hold.expires = Date.now() + leaseTime;
  }

  /** Releases holds whose thread has died. */
  expire(): void {
    const now = Date.now();
    for (const [id, hold] of [...this.#holds]) if (hold.expires <= now) this.leave(id);
  }

  #add(accesses: readonly Access[]): number {
    this.#holds.set(++this.#last, { accesses, expires: Date.now() + leaseTime });
    return this.#last;
  }

  #overlaps(accesses: readonly Access[]): boolean {
    for (const hold of this.#holds.values()) if (overlap(hold.accesses, accesses)) return true;
    return false;
  }

  /** Returns the longest-waiting operation on any of these resources. Later operations must not overtake it. */
  #firstOverlapping(accesses: readonly Access[]): Waiting | null {
    for (const waiting of this.#waiting) if (overlap(waiting.accesses, accesses)) return waiting;
    return null;
  }
}

function overlap(some: readonly Access[], others: readonly Access[]): boolean {
  return some.some((one) => others.some((other) => contains(one, other.path) || contains(other, one.path)));
}

function contains({ path, tree }: Access, other: string): boolean {
  return other === path || (tree && other.startsWith(path.endsWith(sep) ? path : path + sep));
}
