/** What is said of a sink that fails: in the logs like anything else, and where it would be lost with the sink. */
import { createLogger, type LogEntry, type Logger } from '@sluice/base';
import { logRouterToken } from '@sluice/telemetry';
import type { Context } from '@sluice/registry';

/** Tells of one sink. */
export class Trouble {
  /** Takes what is to be said. */
  readonly log: Logger;
  #cameBack = false;

  /** `aside` is where entries go that the failing sink itself was given. */
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

  /** The sink was given something. Entries of the control thread are encoded and handed to sinks within the call. */
  notice(): void {
    this.#cameBack = true;
  }
}

/** What goes wrong with the sink of a module; aside is the standard error that the process began with. */
export function troubleOf(context: Context): Trouble {
  const router = context.find(logRouterToken);
  return new Trouble(context.log, router === undefined ? context.log : createLogger(router.fallback, context.log.name));
}
