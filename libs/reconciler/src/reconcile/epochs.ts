/**
 * Epochs: between two applied configurations lies one epoch. A request is counted in the epoch in which it began, so
 * the runtime knows when nothing can still use a module that a later configuration dropped.
 */

/** The time from one swap of the configuration to the next. */
export class Epoch {
  readonly number: number;
  /** Requests (and upgraded connections) that began in this epoch and are not done. */
  inFlight = 0;
  readonly #tracker: EpochTracker;

  constructor(number: number, tracker: EpochTracker) {
    this.number = number;
    this.#tracker = tracker;
  }

  /** Counts a request in. Called by the server app for each request. */
  enter(): void {
    this.inFlight++;
  }

  /** Counts a request out; the last one of a past epoch lets what waited for it be disposed. */
  leave(): void {
    if (--this.inFlight === 0 && this.#tracker.current !== this) this.#tracker.drained(this);
  }
}

/** Keeps the current epoch and those past ones that still have requests. */
export class EpochTracker {
  current: Epoch = new Epoch(0, this);
  readonly #busy = new Set<Epoch>();
  readonly #listeners = new Set<() => void>();

  /** Ends the current epoch. Called at each swap; the new epoch's number is returned. */
  advance(): number {
    const past = this.current;
    if (past.inFlight > 0) this.#busy.add(past);
    this.current = new Epoch(past.number + 1, this);
    return this.current.number;
  }

  /** True while a request that began in an epoch `from` … `to - 1` is not done. */
  isBusy(from: number, to: number): boolean {
    for (const epoch of this.#busy) if (epoch.number >= from && epoch.number < to) return true;
    return this.current.inFlight > 0 && this.current.number >= from && this.current.number < to;
  }

  /** Calls `listener` whenever a past epoch has drained. */
  onDrained(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Called by the last request of a past epoch. */
  drained(epoch: Epoch): void {
    if (!this.#busy.delete(epoch)) return;
    for (const listener of this.#listeners) listener();
  }
}
