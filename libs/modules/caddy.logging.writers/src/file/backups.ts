/** Rolled files: their names, compression and removal. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { readdir, rename, stat, unlink, utimes } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';

/** What becomes of rolled files. */
export interface BackupOptions {
  readonly compression: 'gzip' | 'zstd' | 'none';
  /** The time in the name of a rolled file. */
  readonly stamp: (time: Date) => string;
  readonly keep: number;
  readonly keepDays: number;
}

/** Why a file was rolled; part of its name. */
export type RollReason = 'size' | 'time';

const suffixes = { gzip: '.gz', zstd: '.zst', none: '' } as const;
const unfinished = '.tmp';

/** `access.log` -> `access-2006-01-02T15-04-05.000-size.log`; a number keeps names of one moment apart. */
export function backupName(path: string, time: Date, reason: RollReason, { stamp }: BackupOptions): string {
  const extension = extname(path);
  const start = join(dirname(path), `${basename(path, extension)}-${stamp(time)}-${reason}`);
  for (let number = 0; ; number++) {
    const name = `${start}${number === 0 ? '' : `_${number}`}${extension}`;
    if (!Object.values(suffixes).some((suffix) => existsSync(name + suffix))) return name;
  }
}

/** Compresses rolled files that are not yet, also those of an earlier process; then removes those that are too many or too old. */
export async function lookAfterBackups(path: string, options: BackupOptions): Promise<void> {
  if (options.compression !== 'none')
    for (const name of await backupsOf(path)) if (name.endsWith(extname(path))) await compress(name, options);
  const oldest = Date.now() - options.keepDays * 24 * 3_600_000;
  const byAge: { name: string; time: number }[] = [];
  for (const name of await backupsOf(path)) byAge.push({ name, time: (await stat(name)).mtimeMs });
  byAge.sort((a, b) => b.time - a.time || (a.name < b.name ? 1 : -1));
  for (const [i, { name, time }] of byAge.entries()) if (i >= options.keep || time < oldest) await unlink(name);
}

/** The original goes when the compressed one is whole, which keeps its time, so that age is that of the lines. */
async function compress(path: string, { compression }: BackupOptions): Promise<void> {
  const target = path + suffixes[compression];
  const { mode, atime, mtime } = await stat(path);
  await pipeline(
    createReadStream(path),
    compression === 'gzip' ? createGzip() : createZstdCompress(),
    createWriteStream(target + unfinished, { mode }),
  );
  await utimes(target + unfinished, atime, mtime);
  await rename(target + unfinished, target);
  await unlink(path);
}

/** Paths of the rolled files of a log. */
async function backupsOf(path: string): Promise<string[]> {
  const extension = extname(path);
  const prefix = `${basename(path, extension)}-`;
  const folder = dirname(path);
  const names = await readdir(folder);
  return names
    .filter((name) => {
      const plain = name.replace(/\.(?:gz|zst)$/, '');
      return (
        name.startsWith(prefix) &&
        plain.endsWith(extension) &&
        isRolled(plain.slice(0, plain.length - extension.length))
      );
    })
    .map((name) => join(folder, name));
}

function isRolled(name: string): boolean {
  return /-(?:size|time)(?:_\d+)?$/.test(name);
}
