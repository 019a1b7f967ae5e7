/** Sends log entries to the logs of the configuration that is in force. */
import { token, type Token } from '../modules/namespace.ts';
import type { LogOutput } from './contracts.ts';
import type { LogEntry, LogLevel, LogSink } from './logger.ts';

/** Order of severity. */
export const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** One log: which entries it takes, and what it does with them. */
export interface LogRoute {
  accepts(level: LogLevel, logger: string): boolean;
  write(entry: LogEntry): void;
}

/** The sink of a thread. Until a configuration says otherwise everything goes to the sink it was made with. */
export class LogRouter implements LogSink {
  readonly fallback: LogSink;
  #routes: readonly LogRoute[] | null = null;
  #stray: LogOutput | null = null;

  constructor(fallback: LogSink) {
    this.fallback = fallback;
  }

  /** Puts other logs in force, and the output of `logging.sink`. Called when a configuration is swapped in. */
  use(routes: readonly LogRoute[], stray: LogOutput | null = null): void {
    this.#routes = routes;
    this.#stray = stray;
  }

  /** Goes back to the sink of the beginning unless other logs are in force by now. Called when logs are dropped. */
  forget(routes: readonly LogRoute[]): void {
    if (this.#routes !== routes) return;
    this.#routes = null;
    this.#stray = null;
  }

  /** Where text goes that somebody wrote who does not log; `null`: nowhere in particular. */
  get stray(): LogOutput | null {
    return this.#stray;
  }

  enabled(level: LogLevel, logger: string): boolean {
    if (this.#routes === null) return this.fallback.enabled(level, logger);
    for (const route of this.#routes) if (route.accepts(level, logger)) return true;
    return false;
  }

  write(entry: LogEntry): void {
    if (this.#routes === null) {
      this.fallback.write(entry);
      return;
    }
    for (const route of this.#routes) if (route.accepts(entry.level, entry.logger)) route.write(entry);
  }
}

/** The router of a thread: `context.use(logRouterToken)`. */
export const logRouterToken: Token<LogRouter> = token<LogRouter>('log-router');
