/** `sluice storage import`: imports a tar archive into a storage backend. */
import { readFileSync } from 'node:fs';
import { messageOf } from '@sluice/base';
import { unpackTar, type ParsedTarEntryWithData } from 'modern-tar';
import { CommandError, unfinished } from '../../failure.ts';
import { withStorage, type StorageOptions } from '../storage/open-storage.ts';

export interface ImportOptions extends Partial<StorageOptions> {
  readonly input?: string;
}

/** Stores each file of the archive under its name. Reads the whole archive first, so that a corrupted archive has no effect. */
export async function importStorage({ input = '', config = '', ...options }: ImportOptions): Promise<number> {
  if (config === '') throw new CommandError('storage import requires a configuration: --config FILE');
  if (input === '') throw new CommandError('storage import requires an archive: --input FILE, or - for standard input');
  const files = await filesOf(read(input), input);
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

interface StoredFile {
  readonly key: string;
  readonly content: Buffer;
}

async function filesOf(archive: Buffer, input: string): Promise<readonly StoredFile[]> {
  try {
    const entries = await unpackTar(archive, { strict: true });
    return entries.filter(({ header }) => header.type !== 'directory').map(fileOf);
  } catch (error) {
    throw new CommandError(`reading the archive ${input}: ${messageOf(error)}`, error, unfinished);
  }
}

/** Returns an archived file with its storage key. `tar` may prefix names with `./`. Throws if the name is not a valid key. */
function fileOf({ header: { name, type }, data }: ParsedTarEntryWithData): StoredFile {
  if (data === undefined) throw new Error(`${JSON.stringify(name)} is a ${type ?? 'special file'}, not a regular file`);
  const key = name.replace(/^(?:\.\/)+/, '');
  if (key === '' || key.includes('\0') || key.split('/').some((part) => part === '' || part === '.' || part === '..'))
    throw new Error(`${JSON.stringify(name)} is not a valid storage key`);
  return { key, content: Buffer.from(data.buffer, data.byteOffset, data.length) };
}
