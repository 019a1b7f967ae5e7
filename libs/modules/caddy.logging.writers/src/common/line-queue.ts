/** Lines that wait for a sink that takes its time, within a bound. */
import { messageOf, type DropReport, type Logger } from '@sluice/registry';

/** Lines of one turn are joined to pieces of about this length, so that sinks see few of them. */
const pieceLength = 32 * 1024;
/** Text that may wait. Beyond it lines are dropped, and counted. */
const mostWaiting = 64 * 1024 * 1024;
/** Least time between two reports of a failing sink, in milliseconds: a report may be a line for the same sink. */
const pause = 5000;

/** Where lines go. */
export interface SlowSink {
  /** Writes pieces of whole lines, in order. Called again when it has ended. */
  writeAll(pieces: readonly string[]): Promise<void>;
}

/** What a queue needs to complain. */
export interface QueueReports {
  readonly dropped: DropReport;
  readonly log: Logger;
  /** What cannot be written to, for messages. */
  readonly name: string;
}

/** A queue in front of a sink. */
export class LineQueue {
  readonly #sink: SlowSink;
  readonly #reports: QueueReports;
  #pieces: string[] = [];
  #piece = '';
  #length = 0;
  #lines = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #draining: Promise<void> | null = null;

  constructor(sink: SlowSink, reports: QueueReports) {
    this.#sink = sink;
    this.#reports = reports;
  }

  /** Takes whole lines. */
  push(text: string, lines: number): void {
    if (this.#length > mostWaiting) {
      this.#reports.dropped.add(lines);
      return;
    }
    this.#piece += text;
    this.#length += text.length;
    this.#lines += lines;
    if (this.#piece.length >= pieceLength) this.#cut();
    this.#draining ??= this.#drain();
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    while (this.#draining !== null) await this.#draining;
    this.#reports.dropped.say();
  }

  /** Takes out what waits and was not given to the sink. For a last write when the process ends. */
  takeRest(): string {
    this.#cut();
    const rest = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    this.#lines = 0;
    return rest;
  }

  #cut(): void {
    if (this.#piece !== '') this.#pieces.push(this.#piece);
    this.#piece = '';
  }

  async #drain(): Promise<void> {
    // Whatever else is logged in this turn goes with it.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#length > 0) {
      this.#cut();
      const pieces = this.#pieces;
      const lines = this.#lines;
      this.#pieces = [];
      this.#length = 0;
      this.#lines = 0;
      try {
        await this.#sink.writeAll(pieces);
      } catch (error) {
        this.#reports.dropped.add(lines);
        this.#complain(error);
      }
    }
    this.#draining = null;
  }

  #complain(error: unknown): void {
    const now = performance.now();
    if (now < this.#failedAt + pause) return;
    this.#failedAt = now;
    this.#reports.log.error(`cannot write to ${this.#reports.name}`, { error: messageOf(error) });
  }
}
