/** Cost limit for one explanation, including all of its evaluation paths. */

/**
 * Limits for one explanation: the number of steps, the CPU time of this thread, and the total time including waits. Both times are in
 * milliseconds.
 */
const maxExplanationSize = { steps: 1000, processor: 50, whole: 1000 };

/** Remaining budget. */
export class Budget {
  exceeded: 'steps' | 'time' | null = null;
  readonly #processorEnd: number;
  /** Earliest time at which the CPU time limit can be reached. Before this time, the CPU time is not measured. */
  readonly #earliest: number;
  readonly #deadline: number;
  #steps = 0;

  /** Limits the CPU time instead of the elapsed time, because a busy machine would increase the elapsed time. */
  constructor(processor: number = maxExplanationSize.processor, whole: number = maxExplanationSize.whole) {
    this.#processorEnd = processorTime() + processor;
    const now = performance.now();
    this.#earliest = now + processor;
    this.#deadline = now + whole;
  }

  /** Remaining time for waiting, in milliseconds. */
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

/** Returns the CPU time of this thread, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
