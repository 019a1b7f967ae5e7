/** Logging interface for modules. The control thread and the logging configuration own the log sinks. */
import { timeOfDay } from './wall-clock.ts';

/** Log level, from least to most severe. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Structured fields of a log entry. The `error` field can contain any thrown value. */
export interface LogFields {
  readonly [name: string]: unknown;
}

/** Fields that are created only when needed, such as the fields of an access log entry. */
export interface DeferredFields {
  /** Time of the log entry, from `performance.now()`, in milliseconds. */
  readonly moment: number;
  fields(): LogFields;
  /** Returns the fields as members of a JSON object, without the enclosing braces. The string is never empty. Durations are in seconds. */
  json(): string;
}

/** A named logger. Its methods never block or throw. */
export interface Logger {
  /** Dotted logger name, such as `http.handlers.file_server`. Empty for the root logger. */
  readonly name: string;
  /** Reports whether entries with this level are written. Call this method before computing expensive fields. */
  enabled(level: LogLevel): boolean;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /**
   * Logs an entry with deferred fields. The logger creates the fields before this call returns, in the form that the encoder requires. If
   * the entry is not written, the fields are not created.
   */
  defer(level: LogLevel, message: string, deferred: DeferredFields): void;
  /** Returns a logger with a different name and the same sinks. */
  named(name: string): Logger;
}

/** A log entry as sinks receive it. `time` is in milliseconds since the Unix epoch. */
export interface LogEntry {
  readonly time: number;
  readonly level: LogLevel;
  readonly logger: string;
  readonly message: string;
  readonly fields: LogFields;
  /** Deferred fields, if the entry has any. JSON encoders can use them without creating objects. */
  readonly deferred?: DeferredFields | null;
}

/** Receives log entries. Callers must check `enabled` first. */
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

/** A log entry with deferred fields. In a copy such as `{ ...entry, fields }`, the explicit fields take precedence. */
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
 * Converts errors in log fields to their messages, so that the fields can be serialized and sent to other threads.
 *
 * `code` is the error code, such as `ERR_CONFIG` or `ECONNREFUSED`.
 */
function plainFields(fields: LogFields): LogFields {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    plain[name] = value instanceof Error ? value.message : value;
    if (name === 'error') Object.assign(plain, codeField(value));
  }
  return plain;
}

/** Returns an object whose `code` field contains the error code. Returns an empty object if the error has no code. */
export function codeField(error: unknown): { readonly code?: string } {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? { code } : {};
}

/** Creates the root logger for a log sink. */
export function createLogger(sink: LogSink, name = ''): Logger {
  return new SinkLogger(name, sink);
}

/** Logger that discards all entries, for tests and tools. */
export const silentLogger: Logger = createLogger({ enabled: () => false, write: () => {} });
