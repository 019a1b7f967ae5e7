/** Rolled files: their names, compression and removal. */
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';

/** What becomes of rolled files. */
export interface BackupOptions {
  readonly compression: 'gzip' | 'zstd' | 'none';
  readonly localTime: boolean;
  readonly keep: number;
  readonly keepDays: number;
}

const suffixes = { gzip: '.gz', zstd: '.zst', none: '' } as const;

let counter = 0;

/** `access.log` -> `access-2006-01-02T15-04-05.000.log`; a number keeps names of one millisecond apart. */
export function backupName(path: string, time: Date, local: boolean): string {
  const shifted = local ? new Date(time.getTime() - time.getTimezoneOffset() * 60_000) : time;
  const stamp = shifted.toISOString().slice(0, 23).replaceAll(':', '-');
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}-${stamp}${++counter > 1 ? `-${counter}` : ''}${extension}`);
}

/** Compresses a rolled file; the original goes when the compressed one is whole. */
export async function compressBackup(path: string, { compression }: BackupOptions): Promise<void> {
  if (compression === 'none') return;
  const target = path + suffixes[compression];
  const { mode } = await stat(path);
  await pipeline(
    createReadStream(path),
    compression === 'gzip' ? createGzip() : createZstdCompress(),
    createWriteStream(`${target}.tmp`, { mode }),
  );
  await rename(`${target}.tmp`, target);
  await unlink(path);
}

/** Removes rolled files that are too many or too old. */
export async function removeOldBackups(path: string, { keep, keepDays }: BackupOptions): Promise<void> {
  const extension = extname(path);
  const prefix = `${basename(path, extension)}-`;
  const folder = dirname(path);
  const names = (await readdir(folder)).filter(
    (name) => name.startsWith(prefix) && /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}/.test(name) && !name.endsWith('.tmp'),
  );
  const oldest = Date.now() - keepDays * 24 * 3_600_000;
  const byAge = await Promise.all(
    names.map(async (name) => ({ name, time: (await stat(join(folder, name))).mtimeMs })),
  );
  byAge.sort((a, b) => b.time - a.time || (a.name < b.name ? 1 : -1));
  for (const [i, { name, time }] of byAge.entries()) if (i >= keep || time < oldest) await unlink(join(folder, name));
}
