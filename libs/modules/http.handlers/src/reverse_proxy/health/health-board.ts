/** Results of active health checks: written by the control thread, read by all that serve. */
import type { SharedCell } from '@sluice/threads';
import type { HealthCheck, HealthMark } from '../proxy-upstream.ts';

const unhealthy = 2;

/** The result of one check of one address, in shared memory. */
export class HealthBoard implements HealthMark {
  /** Of the thread that checks alone. */
  last: HealthCheck | null = null;
  readonly #cell: SharedCell;

  constructor(cell: SharedCell) {
    this.#cell = cell;
  }

  /** An upstream is healthy until a check says no. */
  get healthy(): boolean {
    return this.#cell.get(unhealthy) === 0;
  }

  /** Writes a result; tells whether it is another one than before. */
  set(healthy: boolean): boolean {
    const value = healthy ? 0 : 1;
    if (this.#cell.get(unhealthy) === value) return false;
    this.#cell.set(unhealthy, value);
    return true;
  }
}
