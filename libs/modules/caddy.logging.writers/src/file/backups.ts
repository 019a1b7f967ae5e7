/** Rotated log files: naming, compression and removal. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { Stamp } from './stamps.ts';

/** Options for rotated log files. */
export interface BackupOptions {
  readonly compression: 'gzip' | 'zstd' | 'none';
  /** Time format in the names of rotated files. */
  readonly stamp: Stamp;
  /** Maximum number of rotated files to keep. Infinity keeps all files. */
  readonly keep: number;
  readonly keepDays: number;
}

/** Reason for a rotation. It becomes part of the file name. */
export type RollReason = 'size' | 'time';

const suffixes = { gzip: '.gz', zstd: '.zst', none: '' } as const;
const unfinished = '.tmp';

/** Returns the name for a rotated file, such as `access-2006-01-02T15-04-05.000-size.log`. Adds a number if the name already exists. */
export function backupName(path: string, time: Date, reason: RollReason, { stamp }: BackupOptions): string {
  const extension = extname(path);
  const start = join(dirname(path), `${basename(path, extension)}-${stamp.write(time)}-${reason}`);
  for (let number = 0; ; number++) {
    const name = `${start}${number === 0 ? '' : `_${number}`}${extension}`;
    if (!Object.values(suffixes).some((suffix) => existsSync(name + suffix))) return name;
  }
}

/** Cleanups in progress, by log file path. While options change, two outputs may request a cleanup at the same time. */
const inProgress = new Map<string, Promise<void>>();

/**
 * Compresses rotated files, including those of a previous process. Also removes excess and outdated files, even if a compression fails.
 * Calls for the same path run one at a time.
 */
export function maintainBackups(path: string, options: BackupOptions): Promise<void> {
  const before = inProgress.get(path) ?? Promise.resolve();
  const work = before.catch(() => undefined).then(() => compressAndRemove(path, options));
  const settled = work
    .catch(() => undefined)
    .then(() => {
      if (inProgress.get(path) === settled) inProgress.delete(path);
    });
  inProgress.set(path, settled);
  return work;
}

async function compressAndRemove(path: string, options: BackupOptions): Promise<void> {
  const failures: Error[] = [];
  for (const { name, kind } of await backupsOf(path, options)) {
    // Remove the result of an incomplete compression. The original file still exists.
    if (kind === 'unfinished') await rm(name, { force: true });
    else if (kind === 'plain' && options.compression !== 'none')
      await compress(name, options).catch((error: Error) => void failures.push(error));
  }
  const oldest = Date.now() - options.keepDays * 24 * 3_600_000;
  const byAge = (await backupsOf(path, options)).sort((a, b) => b.time - a.time || (a.name < b.name ? 1 : -1));
  for (const [i, { name, time }] of byAge.entries())
    if (i >= options.keep || time < oldest) await rm(name, { force: true });
  const [failure] = failures;
  if (failure !== undefined) throw failure;
}

/** Compresses a rotated file. Removes the original after the compressed file is complete and synced to disk. */
async function compress(path: string, { compression }: BackupOptions): Promise<void> {
  const target = path + suffixes[compression];
  try {
    for (;;) {
      const { mode, atime, mtime, size } = await stat(path);
      await pipeline(
        createReadStream(path),
        compression === 'gzip' ? createGzip() : createZstdCompress(),
        createWriteStream(target + unfinished, { mode, flush: true }),
      );
      await utimes(target + unfinished, atime, mtime);
      // A process that opened the file before the rotation may have written to it in the meantime.
      if ((await stat(path)).size === size) break;
    }
    await rename(target + unfinished, target);
  } catch (error) {
    await rm(target + unfinished, { force: true });
    throw error;
  }
  await rm(path);
}

/** A rotated file. */
interface Backup {
  readonly name: string;
  readonly kind: 'plain' | 'compressed' | 'unfinished';
  /** Time of the rotation, in milliseconds since the Unix epoch. */
  readonly time: number;
}

/** Returns the rotated files of a log. Ignores files of other logs whose name has the same prefix. */
async function backupsOf(path: string, { stamp }: BackupOptions): Promise<Backup[]> {
  const extension = extname(path);
  const start = RegExp.escape(basename(path, extension));
  const end = RegExp.escape(extension);
  const pattern = new RegExp(
    String.raw`^${start}-(${stamp.pattern})-(?:size|time)(?:_\d+)?${end}(\.gz|\.zst)?(\.tmp)?$`,
  );
  const folder = dirname(path);
  const found: Backup[] = [];
  for (const file of await readdir(folder)) {
    const [, time, compressed, tmp] = pattern.exec(file) ?? [];
    if (time === undefined || (tmp !== undefined && compressed === undefined)) continue;
    const name = join(folder, file);
    const facts = await stat(name).catch(() => null);
    if (facts === null) continue;
    const kind = tmp !== undefined ? 'unfinished' : compressed !== undefined ? 'compressed' : 'plain';
    found.push({ name, kind, time: stamp.read(time) ?? facts.mtimeMs });
  }
  return found;
}
