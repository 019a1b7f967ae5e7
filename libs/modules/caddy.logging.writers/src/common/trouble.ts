/** Reports failures of a sink to the logs, and to standard error if the sink itself would lose the report. */
import { createLogger, type LogEntry, type Logger } from '@sluice/base';
import { logRouterToken } from '@sluice/telemetry';
import type { Context } from '@sluice/registry';

/** Reports failures of one sink. */
export class Trouble {
  readonly log: Logger;
  #cameBack = false;

  /** `aside` receives entries that the failing sink would lose. */
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

  /** Called when the sink receives a line. The control thread passes entries to sinks synchronously. */
  notice(): void {
    this.#cameBack = true;
  }
}

/** Returns the reporter for a module's sink; `aside` is the original standard error. */
export function troubleOf(context: Context): Trouble {
  const router = context.find(logRouterToken);
  return new Trouble(context.log, router === undefined ? context.log : createLogger(router.fallback, context.log.name));
}
