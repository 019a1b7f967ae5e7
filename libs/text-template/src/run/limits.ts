/** Resource limits of a template execution. They stop templates that would otherwise run forever. */
import { LimitError } from '../errors.ts';

/** Limits of an execution. Omitted limits have default values. */
export interface Limits {
  /** Maximum number of actions, calls and loop iterations. Default: 10,000,000. */
  readonly steps?: number;
  /** Maximum output length, in characters. Default: 67,108,864 (64 Mi). */
  readonly output?: number;
  /** Maximum number of nested template calls. Default: 1,000. */
  readonly depth?: number;
  /** Milliseconds. Default: 30,000. */
  readonly time?: number;
}

/** Number of steps between two checks of the time limit. */
const clockInterval = 32;

/**
 * Remaining resources of an execution. A host function that runs a nested template, such as `include`, passes its budget on. All nested
 * templates therefore share one set of limits.
 */
export class Budget {
  readonly #limits: Required<Limits>;
  readonly #deadline: number;
  #steps: number;
  #output: number;
  /** Number of nested template calls in progress. */
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

  /** Remaining time in milliseconds. Zero or negative if the time limit is exceeded. */
  get left(): number {
    return this.#deadline - performance.now();
  }

  /** Checks the time limit. Call after a function that may have been slow. */
  checkTime(): void {
    if (this.left < 0) throw new LimitError(`exceeded the limit of ${this.#limits.time} ms`);
  }

  /** Counts output characters. */
  write(length: number): void {
    this.#output -= length;
    if (this.#output < 0) throw new LimitError(`exceeded the limit of ${this.#limits.output} characters of output`);
  }

  /** Enters a nested template. Must be paired with {@link leave}. */
  enter(): void {
    if (++this.depth > this.#limits.depth) {
      throw new LimitError(`exceeded maximum template depth (${this.#limits.depth})`);
    }
  }

  leave(): void {
    this.depth--;
  }
}
