/** How much one explanation may cost: all its paths together. */

/** Steps, and milliseconds. */
const largestExplanation = { steps: 1000, milliseconds: 50 };

/** What is left of it. */
export class Budget {
  /** What ran out. */
  exceeded: 'steps' | 'time' | null = null;
  readonly #deadline: number;
  #steps = 0;

  constructor(milliseconds: number = largestExplanation.milliseconds) {
    this.#deadline = performance.now() + milliseconds;
  }

  /** Milliseconds that are left. */
  get left(): number {
    return this.#deadline - performance.now();
  }

  /** A step is made. Whether it may be. */
  step(): boolean {
    if (++this.#steps > largestExplanation.steps) this.exceeded ??= 'steps';
    else if (performance.now() > this.#deadline) this.exceeded ??= 'time';
    return this.exceeded === null;
  }
}
