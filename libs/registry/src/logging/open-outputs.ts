/** The log outputs of the control thread: opened here, written to by the logs of all threads. */
import type { Context } from '../reconcile/context.ts';
import { ResourcePool } from '../reconcile/pool.ts';
import type { ThreadBus } from '../threads/bus.ts';
import type { SharedCells } from '../threads/shared-cells.ts';
import type { LogOutput, LogOutputs, LogWriter } from './contracts.ts';
import { DropReport } from './drop-report.ts';
import { linesTopic, takenCell, unusedQuestion } from './lines.ts';
import type { Logger } from './logger.ts';

/** What the outputs of the control thread need. */
export interface OpenOutputsOptions {
  readonly bus: ThreadBus;
  readonly cells: SharedCells;
  readonly log: Logger;
}

/** Opens outputs, and writes what other threads send. An output is closed when the last thread has let go of it. */
export class OpenOutputs implements LogOutputs {
  readonly #bus: ThreadBus;
  readonly #pool = new ResourcePool<LogOutput>();
  /** Also those that the configuration dropped, while lines from other threads may be on their way. */
  readonly #open = new Map<string, LogOutput>();
  readonly #dropped: DropReport;

  constructor({ bus, cells, log }: OpenOutputsOptions) {
    this.#bus = bus;
    this.#dropped = new DropReport(log, 'on their way between threads');
    const taken = new Map<number, ReturnType<SharedCells['acquire']>>();
    bus.onReport(linesTopic, ({ key, text, lines, dropped }, thread) => {
      let cell = taken.get(thread);
      if (cell === undefined) taken.set(thread, (cell = cells.acquire(takenCell(thread))));
      cell.add(0, text.length);
      const output = this.#open.get(key);
      if (output === undefined) this.#dropped.add(lines + dropped);
      else {
        output.write(text, lines);
        if (dropped > 0) this.#dropped.add(dropped);
      }
    });
  }

  acquire(writer: LogWriter, context: Context): Promise<LogOutput> {
    return context.acquire(this.#pool, writer.key, () => this.#openOutput(writer));
  }

  async #openOutput(writer: LogWriter): Promise<LogOutput> {
    const output = await writer.open();
    this.#open.set(writer.key, output);
    return {
      write: (text, lines) => output.write(text, lines),
      close: async () => {
        await this.#bus.gather(unusedQuestion, writer.key);
        if (this.#open.get(writer.key) === output) this.#open.delete(writer.key);
        await output.close();
      },
    };
  }
}
