/** Runs the steps of a shutdown. Each step has a separate timeout, so that all steps run. */
import { within, type Logger } from '@sluice/base';

export interface ShutdownStep {
  /** Description of the step for the log. */
  readonly name: string;
  /** Timeout of the step in milliseconds. Infinity for a step that always completes. */
  readonly timeout: number;
  run(): unknown;
}

/** Runs shutdown steps in sequence. If a step fails or times out, logs the failure and continues with the next step. */
export async function runShutdownSteps(steps: readonly ShutdownStep[], log: Logger): Promise<void> {
  for (const { name, timeout, run } of steps) {
    try {
      const done = await within(Promise.resolve(run()), timeout);
      if (!done) log.error('shutdown step timed out and was abandoned', { step: name, timeout_ms: timeout });
    } catch (error) {
      log.error('shutdown step failed', { step: name, error });
    }
  }
}
