/** Cost limit of one explanation, including all its paths. */

/** Maximum number of steps, processor time of this thread and total time including waits. Times in milliseconds. */
const largestExplanation = { steps: 1000, processor: 50, whole: 1000 };

/** Remaining budget. */
export class Budget {
  /** Exceeded limit. */
  exceeded: 'steps' | 'time' | null = null;
  readonly #processorEnd: number;
  readonly #deadline: number;
  #steps = 0;

  /** Limits processor time, because wall-clock time is longer on a busy machine. */
  constructor(processor: number = largestExplanation.processor, whole: number = largestExplanation.whole) {
    this.#processorEnd = processorTime() + processor;
    this.#deadline = performance.now() + whole;
  }

  /** Remaining wait time, in milliseconds. */
  get left(): number {
    return this.#deadline - performance.now();
  }

  step(): boolean {
    if (++this.#steps > largestExplanation.steps) this.exceeded ??= 'steps';
    else if (processorTime() > this.#processorEnd || this.left < 0) this.exceeded ??= 'time';
    return this.exceeded === null;
  }
}

/** Returns the processor time of this thread, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
