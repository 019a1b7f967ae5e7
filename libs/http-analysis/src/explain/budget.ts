/** How much one explanation may cost: all its paths together. */

/** Steps; milliseconds of processor time of this thread; milliseconds in all, for what waits. */
const largestExplanation = { steps: 1000, processor: 50, whole: 1000 };

/** What is left of it. */
export class Budget {
  /** What ran out. */
  exceeded: 'steps' | 'time' | null = null;
  readonly #processorEnd: number;
  readonly #deadline: number;
  #steps = 0;

  /** A machine that is busy with other work takes longer for the same: so it is processor time that is limited. */
  constructor(processor: number = largestExplanation.processor, whole: number = largestExplanation.whole) {
    this.#processorEnd = processorTime() + processor;
    this.#deadline = performance.now() + whole;
  }

  /** Milliseconds that are left to wait. */
  get left(): number {
    return this.#deadline - performance.now();
  }

  step(): boolean {
    if (++this.#steps > largestExplanation.steps) this.exceeded ??= 'steps';
    else if (processorTime() > this.#processorEnd || this.left < 0) this.exceeded ??= 'time';
    return this.exceeded === null;
  }
}

/** Milliseconds that this thread has run. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
