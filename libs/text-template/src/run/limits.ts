/** Bounds on what one execution may use, so that a template that never ends fails instead. */
import { LimitError } from '../errors.ts';

/** The bounds. What is not given has its default. */
export interface Limits {
  /** Actions, calls and turns of loops. Default 10 000 000. */
  readonly steps?: number;
  /** Characters written. Default 67 108 864 (64 Mi). */
  readonly output?: number;
  /** Templates that may call each other. Default 1 000. */
  readonly depth?: number;
  /** Milliseconds. Default 30 000. */
  readonly time?: number;
}

/** Steps between looks at the clock. */
const clockInterval = 32;

/**
 * What is left of the bounds. A host that runs templates from within a template (an `include` function) hands the
 * budget on, so that all of them together stay within it.
 */
export class Budget {
  readonly #limits: Required<Limits>;
  readonly #deadline: number;
  #steps: number;
  #output: number;
  /** Templates that are running in each other now. */
  depth = 0;
  #untilClock = clockInterval;

  constructor(limits: Limits = {}) {
    this.#limits = { steps: 10_000_000, output: 67_108_864, depth: 1_000, time: 30_000, ...limits };
    this.#steps = this.#limits.steps;
    this.#output = this.#limits.output;
    this.#deadline = performance.now() + this.#limits.time;
  }

  /** Counts one step. */
  step(): void {
    if (--this.#steps < 0) throw new LimitError(`exceeded the limit of ${this.#limits.steps} steps`);
    if (--this.#untilClock > 0) return;
    this.#untilClock = clockInterval;
    this.checkTime();
  }

  /** Milliseconds that are left; not positive when there are none. */
  get left(): number {
    return this.#deadline - performance.now();
  }

  /** Looks at the clock, after a call that may have taken long. */
  checkTime(): void {
    if (this.left < 0) throw new LimitError(`exceeded the limit of ${this.#limits.time} ms`);
  }

  /** Counts characters of output. */
  write(length: number): void {
    this.#output -= length;
    if (this.#output < 0) throw new LimitError(`exceeded the limit of ${this.#limits.output} characters of output`);
  }

  /** Enters a template; each call is followed by one of {@link leave}. */
  enter(): void {
    if (++this.depth > this.#limits.depth) {
      throw new LimitError(`exceeded maximum template depth (${this.#limits.depth})`);
    }
  }

  /** Leaves a template. */
  leave(): void {
    this.depth--;
  }
}
