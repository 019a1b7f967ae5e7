/** Disposes of dropped components once requests can no longer use them. */
import type { RetireReason } from '@sluice/registry';
import type { Component } from './component.ts';
import { disposalsOf, disposalTimeout, disposeAll, retireComponent, type Disposal } from './disposal.ts';
import type { EpochTracker } from './epochs.ts';

interface Waiting extends Disposal {
  /** First epoch whose requests can't use the resource. */
  readonly until: number;
}

/** Queue of dropped resources in one thread. */
export class Retirement {
  readonly #epochs: EpochTracker;
  readonly #onError: (error: unknown) => void;
  readonly #timeout: number;
  #waiting: Waiting[] = [];
  #running: Promise<void> = Promise.resolve();

  /** `timeout` is the maximum time, in milliseconds, for which one disposer may delay the disposers after it. */
  constructor(epochs: EpochTracker, onError: (error: unknown) => void, timeout: number = disposalTimeout) {
    this.#epochs = epochs;
    this.#timeout = timeout;
    this.#onError = onError;
    epochs.onDrained(() => this.#sweep());
  }

  /** Number of dropped resources that are waiting for active requests. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Adds components that the configuration dropped when the epoch `until` began. */
  add(components: readonly Component[], until: number, reason: RetireReason = 'replaced'): void {
    for (const component of components.toReversed()) {
      retireComponent(component, reason, this.#onError);
      for (const disposal of disposalsOf(component)) this.#waiting.push({ ...disposal, until });
    }
    this.#sweep();
  }

  /** Resolves when all disposers that were ready to run have completed. */
  async settled(): Promise<void> {
    let running;
    do {
      running = this.#running;
      await running;
    } while (running !== this.#running);
  }

  /** Disposes of everything, regardless of active requests. Called when the runtime closes. */
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
    this.#running = this.#running.then(() => disposeAll(disposers, this.#onError, this.#timeout));
  }
}
