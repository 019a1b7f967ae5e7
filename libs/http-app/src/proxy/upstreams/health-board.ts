/** Results of active health checks. The control thread writes them and all traffic threads read them. */
import type { SharedCell } from '@sluice/threads';
import type { HealthCheck, HealthMark } from './health-mark.ts';

const unhealthy = 2;
/** Indexes of numbers in the shared memory cell. Times are in milliseconds since 1970. */
const verdict = 0;
const recovery = 1;

/** Health check result for one address, in shared memory. */
export class HealthBoard implements HealthMark {
  /** Last health check result. Set only in the thread that runs the checks. */
  last: HealthCheck | null = null;
  readonly #cell: SharedCell;

  constructor(cell: SharedCell) {
    this.#cell = cell;
  }

  /** Health of the upstream. True before the first check. */
  get healthy(): boolean {
    return this.#cell.get(unhealthy) === 0;
  }

  get since(): number {
    return this.#cell.number(verdict);
  }

  get recoveredAt(): number {
    return this.#cell.number(recovery);
  }

  /** Stores a check result. Returns true if the health changed. */
  set(healthy: boolean): boolean {
    const value = healthy ? 0 : 1;
    const isOther = this.#cell.get(unhealthy) !== value;
    if (isOther || this.since === 0) this.#cell.setNumber(verdict, Date.now());
    if (!isOther) return false;
    if (healthy) this.#cell.setNumber(recovery, Date.now());
    this.#cell.set(unhealthy, value);
    return true;
  }
}
