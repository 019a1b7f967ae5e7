/** The log outputs of a thread that opens none: lines are sent to the control thread, many at a time. */
import type { Context } from '../reconcile/context.ts';
import { ResourcePool } from '../reconcile/pool.ts';
import type { ThreadBus } from '../threads/bus.ts';
import type { SharedCell, SharedCells } from '../threads/shared-cells.ts';
import type { LogOutput, LogOutputs, LogWriter } from './contracts.ts';
import { linesTopic, takenCell, unusedQuestion } from './lines.ts';

/** Longest time that a line waits for others, in milliseconds. */
const patience = 10;
/** Text that is sent without waiting for more. */
const enough = 32 * 1024;
/** Text that may be on its way. When the control thread is so far behind, lines are dropped, and counted. */
const mostUnderWay = 64 * 1024 * 1024;

/** What the outputs of a worker need. */
export interface RemoteOutputsOptions {
  readonly bus: ThreadBus;
  readonly cells: SharedCells;
}

/** Sends lines to the control thread. Those of one thread keep their order. */
export class RemoteOutputs implements LogOutputs {
  readonly #bus: ThreadBus;
  readonly #pool = new ResourcePool<LogOutput>();
  readonly #live = new Set<RemoteOutput>();
  readonly #taken: SharedCell;
  /** Length of all text that was sent, modulo 2^32. */
  #sent = 0;
  #waiting: (() => void)[] = [];

  constructor({ bus, cells }: RemoteOutputsOptions) {
    this.#bus = bus;
    this.#taken = cells.acquire(takenCell(bus.thread));
    this.#sent = this.#taken.get(0);
    bus.onGather(unusedQuestion, (key) => this.#untilUnused(key));
  }

  acquire(writer: LogWriter, context: Context): Promise<LogOutput> {
    return context.acquire(this.#pool, writer.key, () => this.#openOutput(writer.key));
  }

  /** Sends what waits. Called before the thread ends. */
  flush(): void {
    for (const output of this.#live) output.flush();
  }

  #openOutput(key: string): RemoteOutput {
    const send: Send = (text, lines, dropped) => this.#send(key, text, lines, dropped);
    const output = new RemoteOutput(send, () => {
      this.#live.delete(output);
      for (const check of this.#waiting.splice(0)) check();
    });
    this.#live.add(output);
    return output;
  }

  #send(key: string, text: string, lines: number, dropped: number): boolean {
    if (((this.#sent - this.#taken.get(0)) | 0) > mostUnderWay) return false;
    this.#sent = (this.#sent + text.length) | 0;
    this.#bus.report(linesTopic, { key, text, lines, dropped });
    return true;
  }

  async #untilUnused(key: string): Promise<null> {
    while (this.#uses(key)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return null;
  }

  #uses(key: string): boolean {
    for (const [other] of this.#pool) if (other === key) return true;
    return false;
  }
}

/** Sends lines; false if too many are under way. */
type Send = (text: string, lines: number, dropped: number) => boolean;

/** Lines on their way to one output. */
class RemoteOutput implements LogOutput {
  readonly #send: Send;
  readonly #onRetired: () => void;
  #text = '';
  #lines = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(send: Send, onRetired: () => void) {
    this.#send = send;
    this.#onRetired = onRetired;
  }

  write(text: string, lines: number): void {
    // A line is a rope of many pieces. To ask for a character makes it one, while all are in the processor's cache.
    text.charCodeAt(0);
    this.#text += text;
    this.#lines += lines;
    if (this.#text.length >= enough) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), patience).unref();
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#lines === 0) return;
    if (this.#send(this.#text, this.#lines, this.#dropped)) this.#dropped = 0;
    else this.#dropped += this.#lines;
    this.#text = '';
    this.#lines = 0;
  }

  /** No log of the configuration in force writes here any more. */
  retire(): void {
    this.flush();
    this.#onRetired();
  }

  close(): void {}
}
