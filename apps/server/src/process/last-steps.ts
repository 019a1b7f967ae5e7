/** Shutdown steps, each with a timeout, so that all of them run. */
import { within, type Logger } from '@sluice/base';

export interface LastStep {
  /** Description for the log. */
  readonly name: string;
  /** Timeout in milliseconds; Infinity for a step that always completes. */
  readonly patience: number;
  run(): unknown;
}

/** Runs steps in sequence. If one fails or times out, it is logged, and the next one runs. */
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
