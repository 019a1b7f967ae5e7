/** `caddy.logging.writers.file`: a file that is rolled when it grows large. */
import { isAbsolute, resolve } from 'node:path';
import {
  boolean,
  defineModule,
  duration,
  integer,
  integers,
  logWriters,
  options,
  parseDuration,
  resolveGlobal,
  compileTemplate,
  string,
  strings,
  weakString,
  type Context,
  type Options,
} from '@sluice/registry';
import type { BackupOptions } from './backups.ts';
import { RollingFile, type RollingOptions } from './rolling-file.ts';

const fileOptions = options({
  filename: string('Path of the file; placeholders such as {env.HOME} are replaced once.'),
  mode: weakString('Permissions of new files, octal. Default 0600.'),
  dir_mode: string(
    'Permissions of new folders, octal; `inherit` those of the folder above, or derive them `from_file`. Default 0700.',
  ),
  roll: boolean('Roll the file. Default true.'),
  roll_size_mb: integer('Roll when it would grow beyond so many MiB. Default 100.'),
  roll_interval: duration('Roll after this time.'),
  roll_minutes: integers('Roll at these minutes of each hour.'),
  roll_at: strings('Roll at these times of each day, `HH:MM`, in UTC unless roll_local_time is set.'),
  roll_gzip: boolean('Compress rolled files with gzip. Default true.'),
  roll_compression: string('gzip, zstd or none. Default gzip.'),
  roll_local_time: boolean('Local time in names of rolled files and for roll_at; default UTC.'),
  roll_keep: integer('Rolled files to keep. Default 10.'),
  roll_keep_days: integer('Days to keep rolled files. Default 90.'),
  backup_time_format: string('Layout of the time in names of rolled files. Default 2006-01-02T15-04-05.000.'),
});

/** The module. */
export const fileModule = defineModule(logWriters, {
  name: 'file',
  help: 'Writes to a file; rolls it by size and time, compresses and removes old ones.',
  config: fileOptions,
  async provision(config, context) {
    const settings = readOptions(config, await stampOf(config), context);
    const key = `file:${settings.path}:${JSON.stringify({ ...config, filename: null, '@id': null })}`;
    return { key, open: () => RollingFile.open(settings, context.log) };
  },
});

type Config = Options<typeof fileOptions>;

function readOptions(config: Config, stamp: BackupOptions['stamp'], context: Context): RollingOptions {
  const name = compileTemplate<null>(config.filename ?? '', resolveGlobal, 'empty').expand(null);
  if (name === '') throw context.error('filename is missing', 'filename');
  const compression = config.roll_compression || (config.roll_gzip === false ? 'none' : 'gzip');
  if (compression !== 'gzip' && compression !== 'zstd' && compression !== 'none') {
    throw context.error(`must be gzip, zstd or none, but is ${JSON.stringify(compression)}`, 'roll_compression');
  }
  return {
    path: isAbsolute(name) ? name : resolve(name),
    mode: octal(config.mode, 0o600, 'mode', context),
    folderMode:
      config.dir_mode === 'inherit' || config.dir_mode === 'from_file'
        ? config.dir_mode
        : octal(config.dir_mode, 0o700, 'dir_mode', context),
    roll: config.roll !== false,
    size: (config.roll_size_mb || 100) * 1024 * 1024,
    interval: parseDuration(config.roll_interval ?? 0),
    minutes: clockTimes(config, context),
    compression,
    local: config.roll_local_time ?? false,
    stamp,
    keep: config.roll_keep || 10,
    keepDays: config.roll_keep_days || 90,
  };
}

function octal(
  value: string | number | boolean | null | undefined,
  fallback: number,
  key: string,
  context: Context,
): number {
  if (value === null || value === undefined || value === '') return fallback;
  const text = String(value);
  if (!/^(?:0o?)?[0-7]{3,4}$/.test(text))
    throw context.error(`must be octal permissions such as "0640", but is ${JSON.stringify(value)}`, key);
  return Number.parseInt(text.replace(/^0o/, ''), 8);
}

/** Writes the time of a rolled file. Code for layouts of one's own is loaded where somebody wants one. */
async function stampOf({
  backup_time_format: layout,
  roll_local_time: local,
}: Config): Promise<BackupOptions['stamp']> {
  if (!layout) {
    return (time) => {
      const shown = local === true ? new Date(time.getTime() - time.getTimezoneOffset() * 60_000) : time;
      return shown.toISOString().slice(0, 23).replaceAll(':', '-');
    };
  }
  const { fixedZone, Instant } = await import('@sluice/text-template');
  const utc = fixedZone('UTC', 0);
  return (time) => (local === true ? Instant.fromDate(time) : Instant.fromDate(time, utc)).Format(layout);
}

/** Minutes of the day at which the file is rolled. */
function clockTimes(config: Config, context: Context): number[] {
  const minutes = new Set<number>();
  for (const [i, minute] of (config.roll_minutes ?? []).entries()) {
    if (minute < 0 || minute > 59) throw context.error(`${minute} is no minute of an hour`, 'roll_minutes', i);
    for (let hour = 0; hour < 24; hour++) minutes.add(hour * 60 + minute);
  }
  for (const [i, time] of (config.roll_at ?? []).entries()) {
    const parts = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time);
    if (parts === null) throw context.error(`${JSON.stringify(time)} is no time of day such as "23:30"`, 'roll_at', i);
    minutes.add(Number(parts[1]) * 60 + Number(parts[2]));
  }
  return [...minutes].sort((a, b) => a - b);
}
