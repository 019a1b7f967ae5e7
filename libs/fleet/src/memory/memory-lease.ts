/** A lease of a store in memory, as its holder sees it. */
import { taskOf, unawaited } from '@sluice/base';
import type { StoreLease } from '../store.ts';
import type { Surroundings } from '../surroundings.ts';

/** What it is, and since when it is known to be held. */
interface Terms {
  readonly name: string;
  /** Grows with each lease that is taken. */
  readonly token: number;
  /** How long it lasts, in milliseconds. */
  readonly span: number;
  /** When it was asked for: it lasts from then on at least. */
  readonly asked: number;
}

/** How it is kept and given back. */
interface Keeping {
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Renews itself three times in its span; what is not renewed in time counts as lost. */
export class MemoryLease implements StoreLease {
  readonly name: string;
  readonly token: number;
  readonly #span: number;
  readonly #surroundings: Surroundings;
  readonly #keeping: Keeping;
  readonly #lost = new AbortController();
  #until: number;
  #cancel: () => void;
  #released = false;

  constructor({ name, token, span, asked }: Terms, surroundings: Surroundings, keeping: Keeping) {
    this.name = name;
    this.token = token;
    this.#span = span;
    this.#surroundings = surroundings;
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
    await this.#keeping.release().catch(() => undefined); // It ends by itself.
  }

  #later(): () => void {
    return this.#surroundings.after(this.#span / 3, () => unawaited(taskOf('sluice.fleet'), this.#renew()));
  }

  async #renew(): Promise<void> {
    const asked = this.#surroundings.now();
    let held = true;
    try {
      held = await this.#keeping.renew();
      if (held) this.#until = asked + this.#span;
    } catch {
      // Out of reach: it may come back while the lease lasts.
    }
    if (this.#released) return;
    if (!held || this.#surroundings.now() >= this.#until) this.#lost.abort();
    else this.#cancel = this.#later();
  }
}
