/** Log output that writes to an inherited file descriptor. */
import { write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { LogOutput } from '@sluice/contracts';
import { LineQueue, type SlowSink } from './line-queue.ts';
import type { Trouble } from './trouble.ts';

const writeLater = promisify(write);
/** Delay before retrying to write to a full pipe, in milliseconds. */
const pause = 5;

/** Opens a log output. The process does not block on a pipe that no one reads from. On exit, remaining lines are written synchronously. */
export function descriptorOutput(descriptor: number, trouble: Trouble): LogOutput {
  const name = descriptor === 1 ? 'standard output' : 'standard error';
  const sink: SlowSink = {
    writeAll: async (pieces) => {
      for (const piece of pieces) await writeWhole(descriptor, piece);
    },
  };
  const queue = new LineQueue(sink, { trouble, name, where: `for ${name}` });
  const writeRest = (): void => {
    const rest = queue.takeRest();
    if (rest.length === 0) return;
    try {
      writeSync(descriptor, rest);
    } catch {
      // The pipe is full because nothing reads from it. Drop the remaining lines.
    }
  };
  process.on('exit', writeRest);
  return {
    write: (text, lines) => queue.push(text, lines),
    writeBytes: (bytes, lines, release) => queue.pushBytes(bytes, lines, release),
    close: async () => {
      await queue.drained();
      process.off('exit', writeRest);
    },
  };
}

async function writeWhole(descriptor: number, bytes: Buffer): Promise<void> {
  for (let i = 0; i < bytes.length;) {
    try {
      i += (await writeLater(descriptor, bytes, i, bytes.length - i, null)).bytesWritten;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
