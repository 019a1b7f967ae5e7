/** Log outputs of worker threads. Workers send their lines to the control thread in batches. */
import { guarded, taskOf, itemAt } from '@sluice/base';
import { type Context, ResourcePool } from '@sluice/registry';
import type { ThreadBus } from '@sluice/threads';
import type { LogOutput, LogOutputs, LogWriter } from '@sluice/contracts';
import { blockSize, LineBlock } from './line-block.ts';
import { linesTopic, unusedQuestion } from './lines.ts';

/** Maximum time to batch a line, in milliseconds. */
const maxDelay = 10;
/** Maximum number of blocks in flight. If the limit is reached, new lines are dropped and counted. */
const maxBlocks = (64 * 1024 * 1024) / blockSize;
/** Number of UTF-16 code units to encode per call. Batching pays off because one call costs as much as copying a line. */
const pieceLength = 4096;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const bytesPerUnit = 3;

/** Sends log lines to the control thread through shared memory. Preserves the order of lines within a thread. */
export class RemoteOutputs implements LogOutputs {
  readonly #pool = new ResourcePool<LogOutput>();
  readonly #live = new Set<RemoteOutput>();
  readonly #blocks: Blocks;
  #waiting: (() => void)[] = [];

  constructor(bus: ThreadBus) {
    this.#blocks = new Blocks(bus);
    bus.onGather(unusedQuestion, (key) => this.#untilUnused(key));
  }

  acquire(writer: LogWriter, context: Context): Promise<LogOutput> {
    return context.acquire(this.#pool, writer.key, () => this.#openOutput(writer.key));
  }

  /** Sends buffered lines. Call before the thread exits. */
  flush(): void {
    for (const output of this.#live) output.flush();
  }

  #openOutput(key: string): RemoteOutput {
    const output = new RemoteOutput(key, this.#blocks, () => {
      this.#live.delete(output);
      for (const check of this.#waiting.splice(0)) check();
    });
    this.#live.add(output);
    return output;
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

/** A shared block and its number, which also identifies it in the control thread. */
interface NumberedBlock {
  readonly block: LineBlock;
  readonly number: number;
  known: boolean;
}

interface SentLines {
  readonly key: string;
  /** Length in bytes. */
  readonly length: number;
  readonly lines: number;
  /** Number of lines dropped before the lines in this block. */
  readonly dropped: number;
}

/** A thread's shared blocks. They are allocated on demand, and reused after the control thread has released them. */
class Blocks {
  readonly #bus: ThreadBus;
  readonly #blocks: NumberedBlock[] = [];
  /** Index of the last claimed block. */
  #last = 0;

  constructor(bus: ThreadBus) {
    this.#bus = bus;
  }

  /** Claims a free block. Returns `null` if the control thread is too far behind. */
  take(): NumberedBlock | null {
    const { length } = this.#blocks;
    for (let i = 0; i < length; i++) {
      const each = itemAt(this.#blocks, (this.#last + i) % length);
      if (!each.block.take()) continue;
      this.#last = each.number;
      return each;
    }
    if (length === maxBlocks) return null;
    const made = { block: LineBlock.of(blockSize), number: length, known: false };
    made.block.take();
    this.#blocks.push(made);
    return made;
  }

  /** Sends lines to the control thread in a pooled block. */
  send(each: NumberedBlock, { key, length, lines, dropped }: SentLines): void {
    const memory = each.known ? null : each.block.memory;
    each.known = true;
    this.#bus.report(linesTopic, { key, block: each.number, memory, length, lines, dropped });
  }

  sendLong(text: string, key: string, lines: number, dropped: number): void {
    const length = Buffer.byteLength(text);
    const { bytes, memory } = LineBlock.of(length);
    bytes.write(text);
    this.#bus.report(linesTopic, { key, block: -1, memory, length, lines, dropped });
  }
}

/** Buffers a worker thread's lines for one log output. */
class RemoteOutput implements LogOutput {
  readonly #key: string;
  readonly #blocks: Blocks;
  readonly #onRetired: () => void;
  /** Lines not yet copied to a block. */
  #text = '';
  #textLines = 0;
  #current: NumberedBlock | null = null;
  #length = 0;
  #lines = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(key: string, blocks: Blocks, onRetired: () => void) {
    this.#key = key;
    this.#blocks = blocks;
    this.#onRetired = onRetired;
  }

  write(text: string, lines: number): void {
    this.#text += text;
    this.#textLines += lines;
    if (this.#text.length >= pieceLength) this.#place();
    this.#timer ??= setTimeout(
      guarded(taskOf('caddy.logging'), () => this.flush()),
      maxDelay,
    ).unref();
  }

  flush(): void {
    if (this.#text !== '') this.#place();
    this.#send();
  }

  /** Copies the buffered lines to a block. */
  #place(): void {
    const text = this.#text;
    const lines = this.#textLines;
    this.#text = '';
    this.#textLines = 0;
    const maxBytes = text.length * bytesPerUnit;
    if (maxBytes > blockSize - this.#length) this.#send();
    const current = (this.#current ??= this.#blocks.take());
    if (current === null) this.#dropped += lines;
    else if (maxBytes > blockSize) this.#writeLong(text, lines);
    else {
      this.#length += current.block.bytes.write(text, this.#length);
      this.#lines += lines;
    }
  }

  #send(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#current === null || this.#lines === 0) return;
    this.#blocks.send(this.#current, {
      key: this.#key,
      length: this.#length,
      lines: this.#lines,
      dropped: this.#dropped,
    });
    this.#current = null;
    this.#length = 0;
    this.#lines = 0;
    this.#dropped = 0;
  }

  /** Called when no log in the active configuration uses the output anymore. */
  retire(): void {
    this.flush();
    this.#current?.block.release();
    this.#current = null;
    this.#onRetired();
  }

  close(): void {}

  /** Writes text that does not fit in one block. The caller must have sent all earlier lines. */
  #writeLong(text: string, lines: number): void {
    this.#blocks.sendLong(text, this.#key, lines, this.#dropped);
    this.#dropped = 0;
  }
}
