/** Measures disk latency, because fleet stores sync each change to disk. */
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const block = Buffer.alloc(4096, 1);

/** Returns the duration of a durable 4 KiB write in a directory, in milliseconds. */
export async function syncTime(folder: string): Promise<number> {
  const path = join(folder, 'sync-time');
  const file = await open(path, 'w');
  try {
    const began = performance.now();
    await file.write(block);
    await file.datasync();
    return performance.now() - began;
  } finally {
    await file.close();
    await rm(path);
  }
}
