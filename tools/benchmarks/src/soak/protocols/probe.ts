/**
 * Preloaded into all threads of a server (`node --import`). In every interval, each thread collects garbage and writes the memory that is
 * in use to a file. A heap snapshot would also collect garbage, but it takes hundreds of MiB of resident memory, in which a leak would
 * not show.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, threadId } from 'node:worker_threads';
import { probeVariable, type ProbeSettings, type ThreadReport } from './probe-report.ts';

/** Time for V8 to free the memory of collected buffers, in milliseconds. */
const sweepTime = 200;

async function measure(folder: string): Promise<void> {
  globalThis.gc?.();
  await sleep(sweepTime, undefined, { ref: false });
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const report: ThreadReport = {
    time: Date.now(),
    memory: heapUsed + external,
    allocated: isMainThread ? allocatedBytes(join(folder, 'malloc')) : 0,
  };
  const file = join(folder, `thread.${threadId}`);
  writeFileSync(`${file}.new`, JSON.stringify(report));
  renameSync(`${file}.new`, file);
}

/** Returns the number of bytes that `malloc` has allocated and that were not freed, in the whole process. Returns 0 without glibc. */
function allocatedBytes(file: string): number {
  const info = mallocInfo();
  if (info === null) return 0;
  info(file);
  const text = readFileSync(file, 'latin1');
  const last = (pattern: RegExp): number => Number([...text.matchAll(pattern)].at(-1)?.[1] ?? 0);
  const free =
    last(/<total type="fast" count="\d+" size="(\d+)"/g) + last(/<total type="rest" count="\d+" size="(\d+)"/g);
  const mapped = last(/<total type="mmap" count="\d+" size="(\d+)"/g);
  return last(/<system type="current" size="(\d+)"/g) + mapped - free;
}

let foundInfo: ((file: string) => void) | null | undefined;

function mallocInfo(): ((file: string) => void) | null {
  if (foundInfo !== undefined) return foundInfo;
  try {
    const { DynamicLibrary } = process.getBuiltinModule('node:ffi');
    const image = new DynamicLibrary(null);
    const open = image.getFunction('fopen', { return: 'pointer', arguments: ['string', 'string'] });
    const write = image.getFunction('malloc_info', { return: 'int32', arguments: ['int32', 'pointer'] });
    const close = image.getFunction('fclose', { return: 'int32', arguments: ['pointer'] });
    foundInfo = (file) => {
      const stream = open(file, 'w');
      write(0, stream);
      close(stream);
    };
  } catch {
    foundInfo = null;
  }
  return foundInfo;
}

const settings = process.env[probeVariable];
if (settings !== undefined) {
  const { folder, intervalSeconds } = JSON.parse(settings) as ProbeSettings;
  setInterval(() => void measure(folder).catch(() => undefined), intervalSeconds * 1000).unref();
}
