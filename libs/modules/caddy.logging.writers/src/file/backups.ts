/** Rolled files: their names, compression and removal. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { Stamp } from './stamps.ts';

/** What becomes of rolled files. */
export interface BackupOptions {
  readonly compression: 'gzip' | 'zstd' | 'none';
  /** The time in the name of a rolled file. */
  readonly stamp: Stamp;
  /** Infinite: all. */
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
  const start = join(dirname(path), `${basename(path, extension)}-${stamp.write(time)}-${reason}`);
  for (let number = 0; ; number++) {
    const name = `${start}${number === 0 ? '' : `_${number}`}${extension}`;
    if (!Object.values(suffixes).some((suffix) => existsSync(name + suffix))) return name;
  }
}

/** What is being done for the files of a path: while its options change, two outputs may want to at once. */
const underWay = new Map<string, Promise<void>>();

/**
 * Compresses rolled files that are not yet, also those of an earlier process; then removes those that are too many or
 * too old, also when a compression failed, as on a full disk. Calls for one path run one after the other.
 */
export function lookAfterBackups(path: string, options: BackupOptions): Promise<void> {
  const before = underWay.get(path) ?? Promise.resolve();
  const work = before.catch(() => undefined).then(() => compressAndRemove(path, options));
  const settled = work
    .catch(() => undefined)
    .then(() => {
      if (underWay.get(path) === settled) underWay.delete(path);
    });
  underWay.set(path, settled);
  return work;
}

async function compressAndRemove(path: string, options: BackupOptions): Promise<void> {
  const failures: Error[] = [];
  for (const { name, kind } of await backupsOf(path, options)) {
    // A compression that did not come to its end: the original is still there.
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

/** The original goes when the compressed one is whole on disk, and has all that was written until then. */
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
      // A process that had the file open before it was rolled may have written to it meanwhile.
      if ((await stat(path)).size === size) break;
    }
    await rename(target + unfinished, target);
  } catch (error) {
    await rm(target + unfinished, { force: true });
    throw error;
  }
  await rm(path);
}

/** A rolled file. */
interface Backup {
  /** Its path. */
  readonly name: string;
  readonly kind: 'plain' | 'compressed' | 'unfinished';
  /** When it was rolled, in milliseconds since 1970. */
  readonly time: number;
}

/** The rolled files of a log, and of no other: names that only begin alike are those of other logs. */
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
