/** The logging interface of modules. The control thread and the logging configuration own the sinks. */
import { timeOfDay } from './wall-clock.ts';

/** Severity, in ascending order. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Structured fields of a log entry. The `error` field can contain any thrown value. */
export interface LogFields {
  readonly [name: string]: unknown;
}

/** Lazily created fields, such as the fields of an access log entry. */
export interface DeferredFields {
  /** Timestamp, in milliseconds of `performance.now()`. */
  readonly moment: number;
  fields(): LogFields;
  /** The fields as members of a JSON object, without braces. Durations are in seconds. Never empty. */
  json(): string;
}

/** A named logger. Methods never block and never throw. */
export interface Logger {
  /** Dotted name, such as `http.handlers.file_server`; empty for the root. */
  readonly name: string;
  /** Reports whether entries of a level are written. Check this before computing expensive fields. */
  enabled(level: LogLevel): boolean;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /**
   * Logs an entry whose fields are created before the call returns, in the form that the encoder needs, or not at all.
   */
  defer(level: LogLevel, message: string, deferred: DeferredFields): void;
  /** Returns a logger with another name and the same sinks. */
  named(name: string): Logger;
}

/** A log entry for a sink. `time` is in milliseconds since the Unix epoch. */
export interface LogEntry {
  readonly time: number;
  readonly level: LogLevel;
  readonly logger: string;
  readonly message: string;
  readonly fields: LogFields;
  /** Source of deferred fields, so that JSON encoders need not create objects. */
  readonly deferred?: DeferredFields | null;
}

/** Receives log entries. Callers check `enabled` first. */
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

/** An entry with deferred fields. A copy (`{ ...entry, fields }`) uses the fields of the copy. */
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
 * Converts errors to their messages, so that fields can cross threads and be serialized.
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

/** Returns the field `code` for an error, or no field if the error has no code. */
export function codeField(error: unknown): { readonly code?: string } {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? { code } : {};
}

/** Creates the root logger for a sink. */
export function createLogger(sink: LogSink, name = ''): Logger {
  return new SinkLogger(name, sink);
}

/** Discards all entries; for tests and tools. */
export const silentLogger: Logger = createLogger({ enabled: () => false, write: () => {} });
