/** Lines that wait for a sink that takes its time, within a bound. */
import { DropReport } from '@sluice/telemetry';
import { messageOf, type LogFields } from '@sluice/base';
import type { Trouble } from './trouble.ts';

/** Lines of one turn are joined to pieces of about this length, so that sinks see few of them. */
const pieceLength = 32 * 1024;
/** Bytes that may wait unless a queue is told otherwise. Beyond them lines are dropped, and counted. */
const defaultWaiting = 64 * 1024 * 1024;
/** Least time between two reports of a failing sink, in milliseconds: a report may be a line for the same sink. */
const pause = 5000;

/** Where lines go. */
export interface SlowSink {
  /**
   * Writes pieces of whole lines, in order; none at all after {@link LineQueue.wake}. Called again when it has ended.
   * Throws {@link LostLines} if some could be written; any other error means that all are lost.
   */
  writeAll(pieces: readonly Buffer[]): Promise<void>;
}

/** Some of the lines that a sink was given could not be written. */
export class LostLines extends Error {
  readonly lines: number;

  constructor(lines: number, cause: unknown) {
    super(messageOf(cause), { cause });
    this.lines = lines;
  }
}

/** How a queue tells of its sink. */
export interface QueueOptions {
  readonly trouble: Trouble;
  /** What cannot be written to, for messages. */
  readonly name: string;
  /** Follows “log lines were dropped” in messages. */
  readonly where: string;
  readonly fields?: LogFields;
  /** Bytes that may wait. */
  readonly mostWaiting?: number;
  /** Hears how many lines were dropped. */
  readonly onDropped?: (lines: number) => void;
}

/** A queue in front of a sink. */
export class LineQueue {
  readonly #sink: SlowSink;
  readonly #trouble: Trouble;
  readonly #name: string;
  readonly #dropped: DropReport;
  readonly #mostWaiting: number;
  readonly #onDropped: (lines: number) => void;
  #pieces: Buffer[] = [];
  /** What gives the memory of pieces back once they are written. */
  #releases: (() => void)[] = [];
  #piece = '';
  #length = 0;
  #lines = 0;
  #woken = false;
  #failedAt = Number.NEGATIVE_INFINITY;
  #draining: Promise<void> | null = null;

  constructor(sink: SlowSink, options: QueueOptions) {
    const { trouble, name, where, fields } = options;
    this.#sink = sink;
    this.#trouble = trouble;
    this.#name = name;
    this.#dropped = new DropReport(trouble.log, where, fields);
    this.#mostWaiting = options.mostWaiting ?? defaultWaiting;
    this.#onDropped = options.onDropped ?? (() => undefined);
  }

  /** Takes whole lines. */
  push(text: string, lines: number): void {
    if (!this.#admit(text.length, lines)) return;
    this.#piece += text;
    if (this.#piece.length >= pieceLength) this.#cut();
  }

  /** Takes whole lines that are bytes already; `release` is called when they are written or lost. */
  pushBytes(bytes: Buffer, lines: number, release: () => void): void {
    if (!this.#admit(bytes.length, lines)) {
      release();
      return;
    }
    this.#cut();
    this.#pieces.push(bytes);
    this.#releases.push(release);
  }

  /** Has the sink called although there are no lines, in its turn. */
  wake(): void {
    this.#woken = true;
    this.#draining ??= this.#drain();
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    while (this.#draining !== null) await this.#draining;
    this.#dropped.say();
  }

  /** Takes out what waits and was not given to the sink. For a last write when the process ends. */
  takeRest(): Buffer {
    this.#cut();
    const rest = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    this.#lines = 0;
    return rest;
  }

  /** Whether there is room for more; has it written then, with whatever else comes in this turn. */
  #admit(length: number, lines: number): boolean {
    this.#trouble.notice();
    if (this.#length > this.#mostWaiting) {
      this.#drop(lines);
      return false;
    }
    this.#length += length;
    this.#lines += lines;
    this.#draining ??= this.#drain();
    return true;
  }

  #drop(lines: number): void {
    this.#dropped.add(lines);
    this.#onDropped(lines);
  }

  #cut(): void {
    if (this.#piece !== '') this.#pieces.push(Buffer.from(this.#piece));
    this.#piece = '';
  }

  async #drain(): Promise<void> {
    // Whatever else is logged in this turn goes with it.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#length > 0 || this.#woken) {
      this.#cut();
      const pieces = this.#pieces;
      const releases = this.#releases;
      const lines = this.#lines;
      this.#pieces = [];
      this.#releases = [];
      this.#length = 0;
      this.#lines = 0;
      this.#woken = false;
      try {
        await this.#sink.writeAll(pieces);
      } catch (error) {
        this.#drop(error instanceof LostLines ? error.lines : lines);
        this.#complain(error);
      }
      for (const release of releases) release();
    }
    this.#draining = null;
  }

  #complain(error: unknown): void {
    const now = performance.now();
    if (now < this.#failedAt + pause) return;
    this.#failedAt = now;
    this.#trouble.log.error(`cannot write to ${this.#name}`, { error });
  }
}
