/** `sluice storage export`: exports the content of a storage backend to a tar archive. */
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '@sluice/base';
import type { Storage } from '@sluice/contracts';
import { createTarPacker, type TarPackController } from 'modern-tar';
import { CommandError } from '../../failure.ts';
import { withStorage, type StorageOptions } from '../storage/open-storage.ts';

export interface ExportOptions extends Partial<StorageOptions> {
  readonly output?: string;
}

/** Writes the archive. Only the file's owner can read it, because it contains private keys. */
export async function exportStorage({ output = '', config = '', ...options }: ExportOptions): Promise<number> {
  if (config === '') throw new CommandError('storage export requires a configuration: --config FILE');
  if (output === '')
    throw new CommandError('storage export requires an output file: --output FILE, or - for standard output');
  await withStorage({ ...options, config }, async (storage) => {
    try {
      const { readable, controller } = createTarPacker();
      void pack(storage, controller);
      await pipeline(readable, target(output), { end: output !== '-' });
    } catch (error) {
      throw new CommandError(`exporting the storage to ${output}: ${messageOf(error)}`, error);
    }
  });
  return 0;
}

function target(output: string): Writable {
  return output === '-' ? process.stdout : createWriteStream(output, { mode: 0o600 });
}

/** Adds all stored files to an archive. An error destroys the archive stream, and the stream's reader reports the error. */
async function pack(storage: Storage, archive: TarPackController): Promise<void> {
  try {
    for (const key of await storage.list('', true)) {
      const content = await storage.load(key);
      // Skip a key that was removed in the meantime.
      if (content === null) continue;
      const mtime = new Date((await storage.stat(key))?.modified ?? Date.now());
      const body = archive.add({ name: key, size: content.length, mode: 0o600, mtime }).getWriter();
      await body.write(content);
      await body.close();
    }
    archive.finalize();
  } catch (error) {
    archive.error(error);
  }
}
