/** Disposes what configurations dropped, once no request that could use it is in flight. */
import {
  disposalsOf,
  disposalTimeout,
  disposeAll,
  retireComponent,
  type Component,
  type Disposal,
} from './component.ts';
import type { EpochTracker } from './epochs.ts';

interface Waiting extends Disposal {
  /** First epoch whose requests cannot use it any more. */
  readonly until: number;
}

/** The queue of dropped resources of one thread. */
export class Retirement {
  readonly #epochs: EpochTracker;
  readonly #onError: (error: unknown) => void;
  readonly #patience: number;
  #waiting: Waiting[] = [];
  #running: Promise<void> = Promise.resolve();

  /** `longest`: how long the disposers after one wait for it, in milliseconds. */
  constructor(epochs: EpochTracker, onError: (error: unknown) => void, longest: number = disposalTimeout) {
    this.#epochs = epochs;
    this.#patience = longest;
    this.#onError = onError;
    epochs.onDrained(() => this.#sweep());
  }

  /** How many dropped resources wait for a request to end. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes in components that the configuration dropped at the beginning of epoch `until`. */
  add(components: readonly Component[], until: number): void {
    for (const component of components.toReversed()) {
      retireComponent(component, this.#onError);
      for (const disposal of disposalsOf(component)) this.#waiting.push({ ...disposal, until });
    }
    this.#sweep();
  }

  /** Resolves when every disposer that could run so far has ended. */
  async settled(): Promise<void> {
    let running;
    do {
      running = this.#running;
      await running;
    } while (running !== this.#running);
  }

  /** Disposes everything that waits, whatever is in flight. Called when the runtime closes. */
  async flush(): Promise<void> {
    const all = this.#waiting;
    this.#waiting = [];
    this.#run(all);
    await this.settled();
  }

  #sweep(): void {
    const ready: Waiting[] = [];
    const rest: Waiting[] = [];
    for (const item of this.#waiting) (this.#epochs.isBusy(item.since, item.until) ? rest : ready).push(item);
    this.#waiting = rest;
    if (ready.length > 0) this.#run(ready);
  }

  #run(disposals: readonly Disposal[]): void {
    const disposers = disposals.map(({ dispose }) => dispose);
    this.#running = this.#running.then(() => disposeAll(disposers, this.#onError, this.#patience));
  }
}
