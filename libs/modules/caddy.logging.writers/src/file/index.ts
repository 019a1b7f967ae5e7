/** The module `caddy.logging.writers.file`, which writes to a file and rotates it. */
import { isAbsolute, resolve } from 'node:path';
import {
  boolean,
  defineModule,
  duration,
  integer,
  integers,
  options,
  string,
  strings,
  weakString,
  type Context,
  type Options,
} from '@sluice/registry';
import { logWriters } from '@sluice/contracts';
import { parseDuration, requiredText } from '@sluice/base';
import { troubleOf } from '../common/trouble.ts';
import { RollingFile, type RollingOptions } from './rolling-file.ts';
import { defaultStamp, layoutStamp, type Stamp } from './stamps.ts';

const fileOptions = options({
  filename: string(
    'Path of the log file. Placeholders such as {env.HOME} are replaced once, when the configuration is loaded.',
  ),
  mode: weakString('File permissions in octal, also applied to an existing file. Default: 0600 for a new file.'),
  dir_mode: string(
    'Permissions of created directories in octal, subject to the umask. `inherit` = copy from the parent directory, `from_file` = derive from the file permissions. Default: 0700.',
  ),
  direct: boolean(
    'Write large batches with direct I/O, bypassing the page cache (Linux). Use only for files that no other process appends to. Default: false.',
  ),
  roll: boolean('Rotate the file. Default: true.'),
  roll_size_mb: integer('File size at which to rotate, in MiB. Default: 100.'),
  roll_interval: duration(
    'Rotation interval. The file is rotated when the first line after the interval is written. Default: 0 = disabled.',
  ),
  roll_minutes: integers('Rotate at these minutes of each hour, even if nothing is written.'),
  roll_at: strings(
    'Rotate at these times of each day, as `HH:MM`, even if nothing is written. Times are in UTC unless `roll_local_time` is set.',
  ),
  roll_gzip: boolean('Compress rotated files with gzip. Default: true.'),
  roll_compression: string('Compression of rotated files: gzip, zstd or none. Default: gzip.'),
  roll_local_time: boolean('Use local time in the names of rotated files and for `roll_at`. Default: UTC.'),
  roll_keep: integer('Number of rotated files to keep. Negative = keep all. Default: 10.'),
  roll_keep_days: integer('Number of days to keep rotated files. Negative = keep forever. Default: 90.'),
  backup_time_format: string('Go time layout for the names of rotated files. Default: 2006-01-02T15-04-05.000.'),
});

export const fileModule = defineModule(logWriters, {
  name: 'file',
  help: 'Writes logs to a file. Rotates the file by size and time, and compresses and deletes rotated files.',
  config: fileOptions,
  async provision(config, context) {
    const settings = readOptions(config, await stampOf(config, context), context);
    const key = `file:${settings.path}:${JSON.stringify({ ...config, filename: null })}`;
    return { key, open: () => RollingFile.open(settings, troubleOf(context)) };
  },
});

type Config = Options<typeof fileOptions>;

function readOptions(config: Config, stamp: Stamp, context: Context): RollingOptions {
  const name = requiredText(config.filename, context, 'filename');
  if (name === '') throw context.error('filename is missing', 'filename');
  const compression = config.roll_compression || (config.roll_gzip === false ? 'none' : 'gzip');
  if (compression !== 'gzip' && compression !== 'zstd' && compression !== 'none') {
    throw context.error(`must be gzip, zstd or none, not ${JSON.stringify(compression)}`, 'roll_compression');
  }
  const size = config.roll_size_mb || 100;
  if (size < 0) throw context.error(`${size} is not a valid file size`, 'roll_size_mb');
  return {
    path: isAbsolute(name) ? name : resolve(name),
    mode: octal(config.mode, 'mode', context) || null,
    folderMode:
      config.dir_mode === 'inherit' || config.dir_mode === 'from_file'
        ? config.dir_mode
        : (octal(config.dir_mode, 'dir_mode', context) ?? 0o700),
    direct: config.direct === true,
    roll: config.roll !== false,
    size: size * 1024 * 1024,
    interval: parseDuration(config.roll_interval ?? 0),
    minutes: clockTimes(config, context),
    compression,
    local: config.roll_local_time ?? false,
    stamp,
    keep: limit(config.roll_keep, 10),
    keepDays: limit(config.roll_keep_days, 90),
  };
}

/** Returns the value of a limit option. null and 0 mean the default, and negative values mean no limit. */
function limit(value: number | null | undefined, fallback: number): number {
  const given = value || fallback;
  return given < 0 ? Number.POSITIVE_INFINITY : given;
}

function octal(value: string | number | boolean | null | undefined, key: string, context: Context): number | null {
  if (value === null || value === undefined || value === '') return null;
  const text = String(value);
  if (!/^(?:0o)?[0-7]{1,5}$/.test(text))
    throw context.error(`must be octal permissions such as "0640", not ${JSON.stringify(value)}`, key);
  return Number.parseInt(text.replace(/^0o/, ''), 8) & 0o777;
}

async function stampOf(
  { backup_time_format: layout, roll_local_time: local }: Config,
  context: Context,
): Promise<Stamp> {
  if (!layout) return defaultStamp(local === true);
  if (layout.includes('/'))
    throw context.error('time format in a file name must not contain a slash', 'backup_time_format');
  return layoutStamp(layout, local === true);
}

/** Returns the daily rotation times, in minutes since midnight. */
function clockTimes(config: Config, context: Context): number[] {
  const minutes = new Set<number>();
  for (const [i, minute] of (config.roll_minutes ?? []).entries()) {
    if (minute < 0 || minute > 59) throw context.error(`${minute} is not a valid minute of an hour`, 'roll_minutes', i);
    for (let hour = 0; hour < 24; hour++) minutes.add(hour * 60 + minute);
  }
  for (const [i, time] of (config.roll_at ?? []).entries()) {
    const parts = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time);
    if (parts === null)
      throw context.error(`${JSON.stringify(time)} is not a valid time of day, such as "23:30"`, 'roll_at', i);
    minutes.add(Number(parts[1]) * 60 + Number(parts[2]));
  }
  return [...minutes].sort((a, b) => a - b);
}
