/** How fast the disk is: stores wait for it with each change. */
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const block = Buffer.alloc(4096, 1);

/** Milliseconds that a write of 4 KiB takes until it is on the disk of a folder. */
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
