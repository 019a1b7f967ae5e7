/** Sends log entries to the logs of the configuration that is in force. */
import { reportFault, type LogEntry, type LogLevel, type LogSink } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import type { LogOutput } from '@sluice/contracts';

/** Order of severity. */
export const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** One log: which entries it takes, and what it does with them. */
export interface LogRoute {
  accepts(level: LogLevel, logger: string): boolean;
  write(entry: LogEntry): void;
}

/** Which logs take the entries of a logger, by severity. */
type Takers = readonly (readonly LogRoute[])[];

/** So many loggers have what takes them remembered; hosts may bring names of their own. */
const mostKnown = 1000;
const levels = Object.keys(severity) as LogLevel[];

/** The sink of a thread. Until a configuration says otherwise everything goes to the sink it was made with. */
export class LogRouter implements LogSink {
  readonly fallback: LogSink;
  #routes: readonly LogRoute[] | null = null;
  readonly #takers = new Map<string, Takers>();
  /** The logger of the entry before: most entries are of the same. */
  #lastLogger: string | null = null;
  #lastTakers: Takers = [];
  #stray: LogOutput | null = null;

  constructor(fallback: LogSink) {
    this.fallback = fallback;
  }

  /** Puts other logs in force, and the output of `logging.sink`. Called when a configuration is swapped in. */
  use(routes: readonly LogRoute[], stray: LogOutput | null = null): void {
    this.#routes = routes;
    this.#takers.clear();
    this.#lastLogger = null;
    this.#stray = stray;
  }

  /** Goes back to the sink of the beginning unless other logs are in force by now. Called when logs are dropped. */
  forget(routes: readonly LogRoute[]): void {
    if (this.#routes !== routes) return;
    this.#routes = null;
    this.#stray = null;
  }

  /** Where text goes that did not come through a logger; `null`: nowhere in particular. */
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
      // Who logs must not fail by it, whatever an encoder, a filter or a writer does.
      try {
        (takers[i] as LogRoute).write(entry);
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
    return this.#lastTakers[severity[level]] as readonly LogRoute[];
  }

  #remember(logger: string, routes: readonly LogRoute[]): Takers {
    const takers = levels.map((level) => routes.filter((route) => route.accepts(level, logger)));
    if (this.#takers.size >= mostKnown) this.#takers.clear();
    this.#takers.set(logger, takers);
    return takers;
  }
}

/** The router of a thread: `context.use(logRouterToken)`. */
export const logRouterToken: Token<LogRouter> = token<LogRouter>('log-router');
