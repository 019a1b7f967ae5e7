/** Routes log entries to the logs of the active configuration. */
import { reportFault, type LogEntry, type LogLevel, type LogSink, itemAt } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import type { LogOutput } from '@sluice/contracts';

export const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** A log that selects and writes entries. */
export interface LogRoute {
  accepts(level: LogLevel, logger: string): boolean;
  write(entry: LogEntry): void;
}

/** Logs that accept entries from a logger, indexed by severity. */
type Takers = readonly (readonly LogRoute[])[];

/** Maximum number of loggers with cached routes. The number of loggers is unbounded, because names can contain host names. */
const maxKnown = 1000;
const levels = Object.keys(severity) as LogLevel[];

/** Log sink of a thread. All entries go to a fallback sink until the first configuration is active. */
export class LogRouter implements LogSink {
  readonly fallback: LogSink;
  #routes: readonly LogRoute[] | null = null;
  readonly #takers = new Map<string, Takers>();
  /** Logger of the previous entry. Caching it saves a lookup, because consecutive entries often share a logger. */
  #lastLogger: string | null = null;
  #lastTakers: Takers = [];
  #stray: LogOutput | null = null;

  constructor(fallback: LogSink) {
    this.fallback = fallback;
  }

  /** Activates a new set of logs and the output of `logging.sink`. Called when a configuration becomes active. */
  use(routes: readonly LogRoute[], stray: LogOutput | null = null): void {
    this.#routes = routes;
    this.#takers.clear();
    this.#lastLogger = null;
    this.#stray = stray;
  }

  /** Reverts to the fallback sink, unless a newer set of logs is active. Called when logs are disposed of. */
  forget(routes: readonly LogRoute[]): void {
    if (this.#routes !== routes) return;
    this.#routes = null;
    this.#stray = null;
  }

  /** Output for text written without a logger, or `null` if none is configured. */
  get stray(): LogOutput | null {
    return this.#stray;
  }

  enabled(level: LogLevel, logger: string): boolean {
    if (this.#routes === null) return this.fallback.enabled(level, logger);
    return this.#takersOf(level, logger, this.#routes).length > 0;
  }

  write(entry: LogEntry): void {
    if (this.#routes === null) {
      this.fallback.write(entry);
      return;
    }
    const takers = this.#takersOf(entry.level, entry.logger, this.#routes);
    for (let i = 0; i < takers.length; i++) {
      try {
        itemAt(takers, i).write(entry);
      } catch (error) {
        reportFault({ part: 'log', error, module: 'caddy.logging' });
      }
    }
  }

  #takersOf(level: LogLevel, logger: string, routes: readonly LogRoute[]): readonly LogRoute[] {
    if (logger !== this.#lastLogger) {
      this.#lastTakers = this.#takers.get(logger) ?? this.#remember(logger, routes);
      this.#lastLogger = logger;
    }
    return itemAt(this.#lastTakers, severity[level]);
  }

  #remember(logger: string, routes: readonly LogRoute[]): Takers {
    const takers = levels.map((level) => routes.filter((route) => route.accepts(level, logger)));
    if (this.#takers.size >= maxKnown) this.#takers.clear();
    this.#takers.set(logger, takers);
    return takers;
  }
}

/** Service token for a thread's log router: `context.use(logRouterToken)`. */
export const logRouterToken: Token<LogRouter> = token<LogRouter>('log-router');
