/** Shutdown steps with separate timeouts, so that all steps run. */
import { within, type Logger } from '@sluice/base';

export interface ShutdownStep {
  /** Description for the log. */
  readonly name: string;
  /** Timeout in milliseconds; Infinity for a step that always completes. */
  readonly timeout: number;
  run(): unknown;
}

/** Runs steps in sequence. A step that fails or times out is logged, and the next step runs. */
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
