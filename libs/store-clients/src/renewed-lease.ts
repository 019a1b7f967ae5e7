/** A lease that its owner renews three times per duration. The lease is lost if no renewal succeeds within the duration. */
import { guarded, taskOf, unawaited } from '@sluice/base';

const owner = taskOf('sluice.store-clients');

export interface LeaseTerms {
  readonly name: string;
  /** Unique token of this lease. Stores use it to fence writes. */
  readonly token: string;
  /** Duration of the lease in milliseconds, and its earliest possible start on the monotonic clock. */
  readonly span: number;
  readonly asked: number;
}

/** Store operations that renew and release a lease. */
export interface LeaseKeeping {
  /** Renews the lease for another duration. Resolves to false if the lease has been lost. */
  renew(lease: RenewedLease): Promise<boolean>;
  release(lease: RenewedLease): Promise<void>;
}

/** Base class for stores that implement a lease as a row with an expiration time. */
export class RenewedLease {
  readonly name: string;
  readonly token: string;
  readonly span: number;
  readonly #keeping: LeaseKeeping;
  readonly #lost = new AbortController();
  #until: number;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor({ name, token, span, asked }: LeaseTerms, keeping: LeaseKeeping) {
    this.name = name;
    this.token = token;
    this.span = span;
    this.#keeping = keeping;
    this.#until = asked + span;
    this.#later(performance.now());
  }

  /** Signal that aborts when the lease is lost. The lease may also be lost because the store was unavailable for the entire lease duration. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Releases the lease. Never rejects. Repeated calls have no effect. */
  async release(): Promise<void> {
    if (this.#ended) return;
    this.#end();
    await this.#keeping.release(this).catch(() => undefined); // The lease expires by itself.
  }

  /** Schedules the next renewal for one third of the lease duration after `asked`, or for the lease's expiration if that is earlier. */
  #later(asked: number): void {
    const due = Math.min(asked + this.span / 3, this.#until) - performance.now();
    this.#timer = setTimeout(
      guarded(owner, () => unawaited(owner, this.#renew())),
      Math.max(due, 0),
    ).unref();
  }

  async #renew(): Promise<void> {
    const asked = performance.now();
    const late = setTimeout(
      guarded(owner, () => this.#lose()),
      Math.max(this.#until - asked, 0),
    ).unref();
    try {
      if (!(await this.#keeping.renew(this))) this.#lose();
      else if (!this.#ended) this.#until = asked + this.span;
    } catch {
      // Retry, because an unavailable store may recover before the lease expires.
    } finally {
      clearTimeout(late);
    }
    if (this.#ended) return;
    if (performance.now() >= this.#until) this.#lose();
    else this.#later(asked);
  }

  #lose(): void {
    if (this.#ended) return;
    this.#end();
    this.#lost.abort();
  }

  #end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }
}
