/** Log outputs that the control thread has open. The logs of all threads write to these outputs. */
import { itemAt, type Logger } from '@sluice/base';
import { type Context, ResourcePool } from '@sluice/registry';
import type { ThreadBus } from '@sluice/threads';
import type { LogOutput, LogOutputs, LogWriter } from '@sluice/contracts';
import { DropReport } from './drop-report.ts';
import { LineBlock } from './line-block.ts';
import { linesTopic, unusedQuestion, type Lines } from './lines.ts';
import type { LogTail } from './tail.ts';

export interface OpenOutputsOptions {
  readonly bus: ThreadBus;
  readonly log: Logger;
  /** Live log tail. Receives all lines while it has subscribers. */
  readonly tail: LogTail;
}

/** Opens log outputs and writes lines from other threads. Closes an output after the last thread has released it. */
export class OpenOutputs implements LogOutputs {
  readonly #bus: ThreadBus;
  readonly #tail: LogTail;
  readonly #pool = new ResourcePool<LogOutput>();
  /** Open outputs by key. These include outputs of previous configurations that other threads may still write to. */
  readonly #open = new Map<string, LogOutput>();
  readonly #dropped: DropReport;
  /** Shared blocks by thread and block number. A replacement worker starts with new blocks. */
  readonly #blocks = new Map<number, LineBlock[]>();

  constructor({ bus, log, tail }: OpenOutputsOptions) {
    this.#bus = bus;
    this.#tail = tail;
    this.#dropped = new DropReport(log, 'in transit between threads');
    bus.onReport(linesTopic, (lines, thread) => this.#take(lines, thread));
  }

  acquire(writer: LogWriter, context: Context): Promise<LogOutput> {
    return context.acquire(this.#pool, writer.key, () => this.#openOutput(writer));
  }

  async #openOutput(writer: LogWriter): Promise<LogOutput> {
    const output = await writer.open();
    this.#open.set(writer.key, output);
    return {
      write: (text, lines) => {
        if (this.#tail.isWatched) this.#tail.written(writer.key, lines, () => text);
        output.write(text, lines);
      },
      close: async () => {
        await this.#bus.gather(unusedQuestion, writer.key);
        if (this.#open.get(writer.key) === output) this.#open.delete(writer.key);
        await output.close();
      },
    };
  }

  #take({ key, block: number, memory, length, lines, dropped }: Lines, thread: number): void {
    const block = this.#blockOf(thread, number, memory);
    const output = this.#open.get(key);
    if (this.#tail.isWatched) this.#tail.written(key, lines, () => block.bytes.toString('utf8', 0, length));
    this.#dropped.add(output === undefined ? lines + dropped : dropped);
    if (output?.writeBytes !== undefined) {
      output.writeBytes(block.bytes.subarray(0, length), lines, block.release);
      return;
    }
    output?.write(block.bytes.toString('utf8', 0, length), lines);
    block.release();
  }

  #blockOf(thread: number, number: number, memory: SharedArrayBuffer | null): LineBlock {
    let blocks = this.#blocks.get(thread);
    if (blocks === undefined) this.#blocks.set(thread, (blocks = []));
    if (memory === null) return itemAt(blocks, number);
    const block = new LineBlock(memory);
    if (number >= 0) blocks[number] = block;
    return block;
  }
}
