/** What modules log with. The sinks behind it belong to the control thread and to the logging section. */

/** Severity, least first. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Facts of a log entry beside its message. An `error` field may hold any thrown value. */
export interface LogFields {
  readonly [name: string]: unknown;
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

  named(name: string): Logger {
    return new SinkLogger(name, this.#sink);
  }

  #log(level: LogLevel, message: string, fields: LogFields): void {
    if (!this.#sink.enabled(level, this.name)) return;
    this.#sink.write({ time: Date.now(), level, logger: this.name, message, fields: plainFields(fields) });
  }
}

/** Errors become their message (and code), so that fields can cross threads and be written as JSON. */
function plainFields(fields: LogFields): LogFields {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) plain[name] = value instanceof Error ? value.message : value;
  return plain;
}

/** Makes the root logger over a sink. */
export function createLogger(sink: LogSink, name = ''): Logger {
  return new SinkLogger(name, sink);
}

/** A logger that drops everything, for tests and tools. */
export const silentLogger: Logger = createLogger({ enabled: () => false, write: () => {} });
