/** The log of a worker: entries go to the control thread, which alone owns the sinks. */
import { guarded, taskOf, type LogEntry, type LogLevel, type LogSink } from '@sluice/base';
import { topic, type ThreadBus, type Topic } from '@sluice/threads';

/** Log entries of a thread, as many as one turn of its event loop made. */
export const logEntries: Topic<readonly LogEntry[]> = topic('log-entries');

const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Reports entries, those of one turn together. */
export class BusSink implements LogSink {
  readonly #level: LogLevel;
  #bus: ThreadBus | null = null;
  #pending: LogEntry[] = [];

  constructor(level: LogLevel) {
    this.#level = level;
  }

  /** Sets the bus; what was logged before is sent with the next entry. The bus itself needs a logger, so it comes later. */
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

  /** Sends what waits. Called before the thread ends. */
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

/** An entry whose fields can cross threads for certain. */
function plain(entry: LogEntry): LogEntry {
  return {
    ...entry,
    fields: Object.fromEntries(Object.entries(entry.fields).map(([name, value]) => [name, String(value)])),
  };
}
