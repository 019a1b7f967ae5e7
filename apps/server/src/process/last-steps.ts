/** The steps by which a server ends. Each one has its time, so that the last one is always taken. */
import { within, type Logger } from '@sluice/base';

/** A step. */
export interface LastStep {
  /** What it does, for the log. */
  readonly name: string;
  /** How long it may take, in milliseconds; Infinity for a step that ends by itself. */
  readonly patience: number;
  run(): unknown;
}

/** Takes steps in turn. One that fails or takes too long is logged, and the next one is taken. */
export async function takeSteps(steps: readonly LastStep[], log: Logger): Promise<void> {
  for (const { name, patience, run } of steps) {
    try {
      const done = await within(Promise.resolve(run()), patience);
      if (!done) log.error('shutdown step timed out and was abandoned', { step: name, patience_ms: patience });
    } catch (error) {
      log.error('shutdown step failed', { step: name, error });
    }
  }
}
