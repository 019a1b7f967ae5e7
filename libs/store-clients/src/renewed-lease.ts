/** A lease that its holder renews three times in its span; what was not renewed in time counts as lost. */
import { guarded, taskOf, unawaited } from '@sluice/base';

const owner = taskOf('sluice.store-clients');

/** What was granted. */
export interface LeaseTerms {
  readonly name: string;
  /** Given to this lease alone: the fence of what is written under it. */
  readonly token: string;
  /** How long it lasts, in milliseconds, and since when at least, by the monotonic clock. */
  readonly span: number;
  readonly asked: number;
}

/** How it is kept and given back. */
export interface LeaseKeeping {
  /** Whether it is still held, and lasts for another span. */
  renew(lease: RenewedLease): Promise<boolean>;
  release(lease: RenewedLease): Promise<void>;
}

/** Of stores whose leases are rows with a time. */
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

  /** Aborted when the lease was lost, or may have been, as the store was out of reach for as long as it lasts. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Gives it back. Never rejects, and does nothing the second time. */
  async release(): Promise<void> {
    if (this.#ended) return;
    this.#end();
    await this.#keeping.release(this).catch(() => undefined); // It ends by itself.
  }

  /** The next renewal: a third of the span after `asked`, and never after the end. */
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
      // Out of reach: it may come back while the lease lasts.
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
