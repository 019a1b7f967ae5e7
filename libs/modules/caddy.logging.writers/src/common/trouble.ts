/** Reports failures of a log output to the logs. If the failing output would lose the report, also reports to standard error. */
import { createLogger, type LogEntry, type Logger } from '@sluice/base';
import { logRouterToken } from '@sluice/telemetry';
import type { Context } from '@sluice/registry';

/** Reports failures of one log output. */
export class Trouble {
  readonly log: Logger;
  #cameBack = false;

  /** `aside` receives reports that the failing output would lose. */
  constructor(log: Logger, aside: Logger) {
    this.log = createLogger(
      {
        enabled: () => true,
        write: ({ level, message, fields }: LogEntry) => {
          this.#cameBack = false;
          log[level](message, fields);
          if (this.#cameBack) aside[level](message, fields);
        },
      },
      log.name,
    );
  }

  /** Called when the output receives a line. The control thread passes entries to outputs synchronously. */
  notice(): void {
    this.#cameBack = true;
  }
}

/** Returns the failure reporter for a module's output. Reports that would be lost go to the original standard error. */
export function troubleOf(context: Context): Trouble {
  const router = context.find(logRouterToken);
  return new Trouble(context.log, router === undefined ? context.log : createLogger(router.fallback, context.log.name));
}
