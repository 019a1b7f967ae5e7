/** Bounded queue of log lines for a slow output. */
import { DropReport } from '@sluice/telemetry';
import { messageOf, type LogFields } from '@sluice/base';
import type { Trouble } from './trouble.ts';

/** Target length of a chunk, in characters. Lines from one event loop turn are joined to reduce the number of writes. */
const pieceLength = 32 * 1024;
/** Default maximum size of the queue, in bytes. Lines beyond this limit are dropped and counted. */
const defaultWaiting = 64 * 1024 * 1024;
/** Minimum interval between failure reports, in milliseconds. A report may itself be a line for the same output. */
const pause = 5000;

/** Destination of lines. */
export interface SlowSink {
  /**
   * Writes chunks of complete lines in order. `pieces` is empty after {@link LineQueue.wake}. Not called again until the promise has
   * settled. Throws {@link LostLines} if only some lines were written. Any other error means that all lines are lost.
   */
  writeAll(pieces: readonly Buffer[]): Promise<void>;
}

/** Thrown if some log lines could not be written. */
export class LostLines extends Error {
  readonly lines: number;

  constructor(lines: number, cause: unknown) {
    super(messageOf(cause), { cause });
    this.lines = lines;
  }
}

export interface QueueOptions {
  readonly trouble: Trouble;
  /** Name of the output, for messages. */
  readonly name: string;
  /** Suffix for the message “log lines were dropped”. */
  readonly where: string;
  readonly fields?: LogFields;
  /** Maximum size of the queue, in bytes. */
  readonly maxQueued?: number;
  /** Called with the number of log lines that were dropped. */
  readonly onDropped?: (lines: number) => void;
}

export class LineQueue {
  readonly #sink: SlowSink;
  readonly #trouble: Trouble;
  readonly #name: string;
  readonly #dropped: DropReport;
  readonly #maxQueued: number;
  readonly #onDropped: (lines: number) => void;
  #pieces: Buffer[] = [];
  /** Callbacks that release the memory of chunks after they are written. */
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
    this.#maxQueued = options.maxQueued ?? defaultWaiting;
    this.#onDropped = options.onDropped ?? (() => undefined);
  }

  /** Queues whole lines. */
  push(text: string, lines: number): void {
    if (!this.#admit(text.length, lines)) return;
    this.#piece += text;
    if (this.#piece.length >= pieceLength) this.#cut();
  }

  /** Queues complete lines as bytes. `release` is called after the lines are written or lost. */
  pushBytes(bytes: Buffer, lines: number, release: () => void): void {
    if (!this.#admit(bytes.length, lines)) {
      release();
      return;
    }
    this.#cut();
    this.#pieces.push(bytes);
    this.#releases.push(release);
  }

  /** Makes the queue call the writer even if no lines are queued. */
  wake(): void {
    this.#woken = true;
    this.#draining ??= this.#drain();
  }

  /** Resolves when the queue is empty. */
  async drained(): Promise<void> {
    while (this.#draining !== null) await this.#draining;
    this.#dropped.say();
  }

  /** Removes and returns the queued lines that were not passed to the writer. Used for a final write on exit. */
  takeRest(): Buffer {
    this.#cut();
    const rest = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    this.#lines = 0;
    return rest;
  }

  /** Reports whether the queue has room for more lines. If it does, schedules a write for all lines of this event loop turn. */
  #admit(length: number, lines: number): boolean {
    this.#trouble.notice();
    if (this.#length > this.#maxQueued) {
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
    // Wait until all lines of this event loop turn are queued.
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
        this.#reportProblem(error);
      }
      for (const release of releases) release();
    }
    this.#draining = null;
  }

  #reportProblem(error: unknown): void {
    const now = performance.now();
    if (now < this.#failedAt + pause) return;
    this.#failedAt = now;
    this.#trouble.log.error(`cannot write to ${this.#name}`, { error });
  }
}
