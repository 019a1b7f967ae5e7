/** What modules log with. The sinks behind it belong to the control thread and to the logging section. */
import { timeOfDay } from './wall-clock.ts';

/** Severity, least first. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Facts of a log entry beside its message. An `error` field may hold any thrown value. */
export interface LogFields {
  readonly [name: string]: unknown;
}

/** Fields that are made only when an encoder wants them, such as those of an access log. */
export interface DeferredFields {
  /** When it happened, in milliseconds of `performance.now()`. */
  readonly moment: number;
  /** The fields as an object. */
  fields(): LogFields;
  /** The same as members of a JSON object, without its braces; durations in seconds. Not empty. */
  json(): string;
}

/** A named logger. Calls never block and never throw. */
export interface Logger {
  /** Dotted name, such as `http.handlers.file_server`; empty for the root. */
  readonly name: string;
  /** Whether entries of a level go anywhere; ask before you collect costly fields. */
  enabled(level: LogLevel): boolean;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Logs with fields that are made before the call returns, in the form that is wanted, or not at all. */
  defer(level: LogLevel, message: string, deferred: DeferredFields): void;
  /** A logger of another name with the same sinks. */
  named(name: string): Logger;
}

/** An entry on its way to a sink. `time` is milliseconds since 1970. */
export interface LogEntry {
  readonly time: number;
  readonly level: LogLevel;
  readonly logger: string;
  readonly message: string;
  readonly fields: LogFields;
  /** Where the fields come from, if they are deferred: an encoder of JSON need not make objects then. */
  readonly deferred?: DeferredFields | null;
}

/** Takes entries. `enabled` is asked first. */
export interface LogSink {
  enabled(level: LogLevel, logger: string): boolean;
  write(entry: LogEntry): void;
}

class SinkLogger implements Logger {
  readonly name: string;
  readonly #sink: LogSink;

  constructor(name: string, sink: LogSink) {
    this.name = name;
    this.#sink = sink;
  }

  enabled(level: LogLevel): boolean {
    return this.#sink.enabled(level, this.name);
  }

  debug(message: string, fields: LogFields = {}): void {
    this.#log('debug', message, fields);
  }

  info(message: string, fields: LogFields = {}): void {
    this.#log('info', message, fields);
  }

  warn(message: string, fields: LogFields = {}): void {
    this.#log('warn', message, fields);
  }

  error(message: string, fields: LogFields = {}): void {
    this.#log('error', message, fields);
  }

  defer(level: LogLevel, message: string, deferred: DeferredFields): void {
    if (this.#sink.enabled(level, this.name)) this.#sink.write(new DeferredEntry(level, this.name, message, deferred));
  }

  named(name: string): Logger {
    return new SinkLogger(name, this.#sink);
  }

  #log(level: LogLevel, message: string, fields: LogFields): void {
    if (!this.#sink.enabled(level, this.name)) return;
    this.#sink.write({ time: Date.now(), level, logger: this.name, message, fields: plainFields(fields) });
  }
}

/** An entry with deferred fields. A copy of it (`{ ...entry, fields }`) has those of the copy. */
class DeferredEntry implements LogEntry {
  readonly time: number;
  readonly level: LogLevel;
  readonly logger: string;
  readonly message: string;
  readonly #deferred: DeferredFields;

  constructor(level: LogLevel, logger: string, message: string, deferred: DeferredFields) {
    this.time = timeOfDay(deferred.moment);
    this.level = level;
    this.logger = logger;
    this.message = message;
    this.#deferred = deferred;
  }

  get fields(): LogFields {
    return this.#deferred.fields();
  }

  get deferred(): DeferredFields {
    return this.#deferred;
  }
}

/**
 * Errors become their message, so that fields can cross threads and be written as JSON. The code of `error`, which
 * `docs/errors.md` explains, follows as `code`; so does one of Node, such as `ECONNREFUSED`.
 */
function plainFields(fields: LogFields): LogFields {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    plain[name] = value instanceof Error ? value.message : value;
    if (name === 'error') Object.assign(plain, codeField(value));
  }
  return plain;
}

/** The field `code` for the log entry of an error; none for an error without a code. */
export function codeField(error: unknown): { readonly code?: string } {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? { code } : {};
}

/** Makes the root logger over a sink. */
export function createLogger(sink: LogSink, name = ''): Logger {
  return new SinkLogger(name, sink);
}

/** A logger that drops everything, for tests and tools. */
export const silentLogger: Logger = createLogger({ enabled: () => false, write: () => {} });
