/**
 * Epochs: the periods between configuration activations. Each request is counted in the epoch in which it started. The counts show when
 * requests can no longer use a dropped module.
 */

/** A period between two configuration activations. */
export class Epoch {
  readonly number: number;
  /** Number of active requests and upgraded connections that started in this epoch. */
  inFlight = 0;
  readonly #tracker: EpochTracker;

  constructor(number: number, tracker: EpochTracker) {
    this.number = number;
    this.#tracker = tracker;
  }

  /** Counts a new request. Called by the app that serves the request. */
  enter(): void {
    this.inFlight++;
  }

  /** Counts a completed request. The last request of a past epoch triggers pending disposals. */
  leave(): void {
    if (--this.inFlight === 0 && this.#tracker.current !== this) this.#tracker.drained(this);
  }
}

/** Tracks the current epoch and past epochs with active requests. */
export class EpochTracker {
  current: Epoch = new Epoch(0, this);
  readonly #busy = new Set<Epoch>();
  readonly #listeners = new Set<() => void>();

  /** Ends the current epoch when a configuration is activated. Returns the number of the new epoch. */
  advance(): number {
    const past = this.current;
    if (past.inFlight > 0) this.#busy.add(past);
    this.current = new Epoch(past.number + 1, this);
    return this.current.number;
  }

  /** Reports whether a request that started in one of the epochs `from` to `to - 1` is still active. */
  isBusy(from: number, to: number): boolean {
    for (const epoch of this.#busy) if (epoch.number >= from && epoch.number < to) return true;
    return this.current.inFlight > 0 && this.current.number >= from && this.current.number < to;
  }

  /** Calls `listener` whenever the last request of a past epoch has completed. */
  onDrained(listener: () => void): void {
    this.#listeners.add(listener);
  }

  drained(epoch: Epoch): void {
    if (!this.#busy.delete(epoch)) return;
    for (const listener of this.#listeners) listener();
  }
}
