import { taskOf, unawaited } from '@sluice/base';
import type { StoreLease } from '../store.ts';
import type { MemberEnvironment } from '../environment.ts';

interface Terms {
  readonly name: string;
  /** Fencing token, which increases each time a lease is acquired. */
  readonly token: number;
  /** Duration in milliseconds. */
  readonly span: number;
  /** Time at which the lease was requested. The lease is valid for at least its duration after this time. */
  readonly asked: number;
}

/** Functions for renewing and releasing a lease. */
interface Keeping {
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** A lease that renews itself three times per lease duration. If no renewal succeeds in time, the lease is lost. */
export class MemoryLease implements StoreLease {
  readonly name: string;
  readonly token: number;
  readonly #span: number;
  readonly #environment: MemberEnvironment;
  readonly #keeping: Keeping;
  readonly #lost = new AbortController();
  #until: number;
  #cancel: () => void;
  #released = false;

  constructor({ name, token, span, asked }: Terms, environment: MemberEnvironment, keeping: Keeping) {
    this.name = name;
    this.token = token;
    this.#span = span;
    this.#environment = environment;
    this.#keeping = keeping;
    this.#until = asked + span;
    this.#cancel = this.#later();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    this.#cancel();
    await this.#keeping.release().catch(() => undefined); // The lease expires by itself.
  }

  #later(): () => void {
    return this.#environment.after(this.#span / 3, () => unawaited(taskOf('sluice.fleet'), this.#renew()));
  }

  async #renew(): Promise<void> {
    const asked = this.#environment.now();
    let held = true;
    try {
      held = await this.#keeping.renew();
      if (held) this.#until = asked + this.#span;
    } catch {
      // Ignore the error: the store is unavailable, but may recover before the lease expires.
    }
    if (this.#released) return;
    if (!held || this.#environment.now() >= this.#until) this.#lost.abort();
    else this.#cancel = this.#later();
  }
}
