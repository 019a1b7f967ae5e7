/** `sluice storage import`: imports a tar archive into a storage. */
import { readFileSync } from 'node:fs';
import { messageOf } from '@sluice/base';
import { CommandError, unfinished } from '../../failure.ts';
import { withStorage, type StorageOptions } from '../storage/open-storage.ts';
import { readTar } from '../storage/read-tar.ts';
import type { TarFile } from '../storage/write-tar.ts';

export interface ImportOptions extends Partial<StorageOptions> {
  readonly input?: string;
}

/** Stores the files under their names. The whole archive is read first, so that a damaged one has no effect. */
export async function importStorage({ input = '', config = '', ...options }: ImportOptions): Promise<number> {
  if (config === '') throw new CommandError('storage import requires a configuration: --config FILE');
  if (input === '') throw new CommandError('storage import requires an archive: --input FILE, or - for standard input');
  const files = filesOf(read(input), input);
  await withStorage({ ...options, config }, async (storage) => {
    for (const { key, content } of files) await storage.store(key, content);
  });
  process.stdout.write(`Successfully imported storage: ${files.length} files\n`);
  return 0;
}

function read(input: string): Buffer {
  try {
    return readFileSync(input === '-' ? 0 : input);
  } catch (error) {
    throw new CommandError(`reading the archive ${input}: ${messageOf(error)}`, error);
  }
}

function filesOf(archive: Buffer, input: string): { readonly key: string; readonly content: Buffer }[] {
  try {
    return readTar(archive).map(({ name, content }) => ({ key: keyOf({ name }), content }));
  } catch (error) {
    throw new CommandError(`reading the archive ${input}: ${messageOf(error)}`, error, unfinished);
  }
}

/** Converts a file name to a key; `tar` may prefix names with `./`. */
function keyOf({ name }: Pick<TarFile, 'name'>): string {
  const key = name.replace(/^(?:\.\/)+/, '');
  if (key === '' || key.includes('\0') || key.split('/').some((part) => part === '' || part === '.' || part === '..'))
    throw new Error(`${JSON.stringify(name)} is not a valid storage key`);
  return key;
}
