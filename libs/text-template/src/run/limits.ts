/** Resource limits of an execution, so that an endless template fails. */
import { LimitError } from '../errors.ts';

/** Limits; omitted ones have defaults. */
export interface Limits {
  /** Actions, calls and loop iterations. Default: 10,000,000. */
  readonly steps?: number;
  /** Output in characters. Default: 67,108,864 (64 Mi). */
  readonly output?: number;
  /** Nested template calls. Default: 1,000. */
  readonly depth?: number;
  /** Milliseconds. Default: 30,000. */
  readonly time?: number;
}

/** Steps between clock checks. */
const clockInterval = 32;

/**
 * Remaining resources. A host function that runs nested templates, such as `include`, passes on the budget, so that all templates share the
 * limits.
 */
export class Budget {
  readonly #limits: Required<Limits>;
  readonly #deadline: number;
  #steps: number;
  #output: number;
  /** Number of nested templates currently running. */
  depth = 0;
  #untilClock = clockInterval;

  constructor(limits: Limits = {}) {
    this.#limits = { steps: 10_000_000, output: 67_108_864, depth: 1_000, time: 30_000, ...limits };
    this.#steps = this.#limits.steps;
    this.#output = this.#limits.output;
    this.#deadline = performance.now() + this.#limits.time;
  }

  step(): void {
    if (--this.#steps < 0) throw new LimitError(`exceeded the limit of ${this.#limits.steps} steps`);
    if (--this.#untilClock > 0) return;
    this.#untilClock = clockInterval;
    this.checkTime();
  }

  /** Remaining milliseconds; not positive if exceeded. */
  get left(): number {
    return this.#deadline - performance.now();
  }

  /** Checks the time limit, after a call that may have been slow. */
  checkTime(): void {
    if (this.left < 0) throw new LimitError(`exceeded the limit of ${this.#limits.time} ms`);
  }

  /** Counts output characters. */
  write(length: number): void {
    this.#output -= length;
    if (this.#output < 0) throw new LimitError(`exceeded the limit of ${this.#limits.output} characters of output`);
  }

  /** Enters a template. Must be followed by {@link leave}. */
  enter(): void {
    if (++this.depth > this.#limits.depth) {
      throw new LimitError(`exceeded maximum template depth (${this.#limits.depth})`);
    }
  }

  leave(): void {
    this.depth--;
  }
}
