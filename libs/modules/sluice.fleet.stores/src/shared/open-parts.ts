/** What a store has open: watches and leases, which end with it. */
import { randomUUID } from 'node:crypto';
import { guarded, taskOf } from '@sluice/base';
import type { StoreLease, StoreWatch } from '@sluice/fleet';
import { RenewedLease } from '@sluice/store-clients';

/** The row of one lease, of stores whose leases are rows with a time. Its token is given to this lease alone; spans are in milliseconds. */
export interface LeaseRow {
  /** Makes it, unless another one is there that has not ended. */
  take(token: string, span: number): Promise<boolean>;
  /** Has it last for another span; whether it is still there. */
  renew(token: string, span: number): Promise<boolean>;
  remove(token: string): Promise<unknown>;
}

/** Keeps them until they end. */
export class OpenParts {
  readonly #watches = new Set<StoreWatch>();
  readonly #leases = new Set<StoreLease>();

  /** A watch that runs; the one that is returned is to be closed. */
  watch(watch: StoreWatch): StoreWatch {
    this.#watches.add(watch);
    return {
      close: () => {
        this.#watches.delete(watch);
        watch.close();
      },
    };
  }

  /** A lease that is held until it is lost, or forgotten as it was given back. */
  keep<T extends StoreLease>(lease: T): T {
    this.#leases.add(lease);
    const forget = guarded(taskOf('sluice.fleet.stores'), () => this.forget(lease));
    lease.lost.addEventListener('abort', forget, { once: true });
    return lease;
  }

  forget(lease: StoreLease): void {
    this.#leases.delete(lease);
  }

  /** The lease of a row; `null` where another one has it. */
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

  /** Ends all of them, before the connection that they need. */
  async close(): Promise<void> {
    for (const watch of this.#watches) watch.close();
    await Promise.all([...this.#leases].map((lease) => lease.release()));
  }
}
