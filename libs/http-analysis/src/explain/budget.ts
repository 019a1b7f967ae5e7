/** Cost limit of one explanation, including all its paths. */

/**
 * Limits for the number of steps, the CPU time of this thread, and the total time including waits. Times in
 * milliseconds.
 */
const maxExplanationSize = { steps: 1000, processor: 50, whole: 1000 };

/** Remaining budget. */
export class Budget {
  exceeded: 'steps' | 'time' | null = null;
  readonly #processorEnd: number;
  /** Time before which the CPU time limit can't be exceeded, so that it is not read. */
  readonly #earliest: number;
  readonly #deadline: number;
  #steps = 0;

  /** Limits CPU time, because wall-clock time is longer on a busy machine. */
  constructor(processor: number = maxExplanationSize.processor, whole: number = maxExplanationSize.whole) {
    this.#processorEnd = processorTime() + processor;
    const now = performance.now();
    this.#earliest = now + processor;
    this.#deadline = now + whole;
  }

  /** Remaining wait time, in milliseconds. */
  get left(): number {
    return this.#deadline - performance.now();
  }

  step(): boolean {
    if (++this.#steps > maxExplanationSize.steps) this.exceeded ??= 'steps';
    else {
      const now = performance.now();
      if (now > this.#deadline || (now > this.#earliest && processorTime() > this.#processorEnd))
        this.exceeded ??= 'time';
    }
    return this.exceeded === null;
  }
}

/** Returns the processor time of this thread, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
