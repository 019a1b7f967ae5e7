/** Open watches and leases of a store. Closing the store closes them. */
import { randomUUID } from 'node:crypto';
import { guarded, taskOf } from '@sluice/base';
import type { StoreLease, StoreWatch } from '@sluice/fleet';
import { RenewedLease } from '@sluice/store-clients';

/**
 * Database row of one lease, for stores that implement leases as rows with an expiration time. The token is unique to this lease. Durations
 * are in milliseconds.
 */
export interface LeaseRow {
  /** Creates the row, unless another lease's row exists and has not expired. */
  take(token: string, span: number): Promise<boolean>;
  /** Extends the lease by `span`. Returns true if the lease still exists. */
  renew(token: string, span: number): Promise<boolean>;
  remove(token: string): Promise<unknown>;
}

/** Tracks open watches and leases until they end. */
export class OpenParts {
  readonly #watches = new Set<StoreWatch>();
  readonly #leases = new Set<StoreLease>();

  /** Tracks a running watch. The caller must close the returned watch instead of `watch`. */
  watch(watch: StoreWatch): StoreWatch {
    this.#watches.add(watch);
    return {
      close: () => {
        this.#watches.delete(watch);
        watch.close();
      },
    };
  }

  /** Tracks a lease until the lease is lost or released. */
  keep<T extends StoreLease>(lease: T): T {
    this.#leases.add(lease);
    const forget = guarded(taskOf('sluice.fleet.stores'), () => this.forget(lease));
    lease.lost.addEventListener('abort', forget, { once: true });
    return lease;
  }

  forget(lease: StoreLease): void {
    this.#leases.delete(lease);
  }

  /** Acquires the lease of a row. Returns `null` if another owner has the lease. */
  async lease(name: string, seconds: number, row: LeaseRow): Promise<RenewedLease | null> {
    const [span, token, asked] = [seconds * 1000, randomUUID(), performance.now()];
    if (!(await row.take(token, span))) return null;
    const lease = new RenewedLease(
      { name, token, span, asked },
      {
        renew: () => row.renew(token, span),
        release: async () => {
          this.forget(lease);
          await row.remove(token);
        },
      },
    );
    return this.keep(lease);
  }

  /** Closes all watches and leases. Call before closing their connection. */
  async close(): Promise<void> {
    for (const watch of this.#watches) watch.close();
    await Promise.all([...this.#leases].map((lease) => lease.release()));
  }
}
