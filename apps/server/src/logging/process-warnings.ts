/** Reports Node.js warnings, such as deprecations. They go to `logging.sink` if configured, otherwise to the logs. */
import { guarded, taskOf, type Logger } from '@sluice/base';
import type { LogRouter } from '@sluice/telemetry';
import { formatJson } from './format.ts';

/** Starts reporting warnings. Returns a function that stops the reporting. */
export function reportProcessWarnings(router: LogRouter, log: Logger): () => void {
  const report = guarded(taskOf('process'), (warning: Error) => {
    const fields = { name: warning.name, code: (warning as { code?: unknown }).code };
    if (router.stray === null) {
      log.warn(warning.message, fields);
      return;
    }
    const entry = { time: Date.now(), level: 'warn', logger: log.name, message: warning.message, fields } as const;
    router.stray.write(`${formatJson(entry)}\n`, 1);
  });
  process.on('warning', report);
  return () => process.off('warning', report);
}
