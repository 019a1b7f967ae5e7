/** Log sink of a worker. It sends entries to the control thread, which owns the configured sinks. */
import { guarded, taskOf, type LogEntry, type LogLevel, type LogSink } from '@sluice/base';
import { topic, type ThreadBus, type Topic } from '@sluice/threads';

/** Topic for the log entries of a thread, batched per event loop turn. */
export const logEntries: Topic<readonly LogEntry[]> = topic('log-entries');

const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Log sink that sends entries to the control thread, batched per event loop turn. */
export class BusSink implements LogSink {
  readonly #level: LogLevel;
  #bus: ThreadBus | null = null;
  #pending: LogEntry[] = [];

  constructor(level: LogLevel) {
    this.#level = level;
  }

  /**
   * Sets the bus. The bus itself requires a logger, so some entries are logged before this call. They are sent together with the next
   * entry.
   */
  connect(bus: ThreadBus): void {
    this.#bus = bus;
  }

  enabled(level: LogLevel): boolean {
    return severity[level] >= severity[this.#level];
  }

  write(entry: LogEntry): void {
    this.#pending.push(entry);
    if (this.#pending.length === 1) setImmediate(guarded(taskOf('caddy.logging'), () => this.flush()));
  }

  /** Sends buffered log entries. Called before the thread exits. */
  flush(): void {
    const entries = this.#pending;
    this.#pending = [];
    if (entries.length === 0 || this.#bus === null) return;
    try {
      this.#bus.report(logEntries, entries);
    } catch {
      this.#bus.report(logEntries, entries.map(plain));
    }
  }
}

function plain(entry: LogEntry): LogEntry {
  return {
    ...entry,
    fields: Object.fromEntries(Object.entries(entry.fields).map(([name, value]) => [name, String(value)])),
  };
}
