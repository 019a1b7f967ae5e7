/** A log file as `file`. */
import { isObject } from '@sluice/base';
import { durationWord, noWords, optionLines, words, written, type WriteModule } from '@sluice/caddyfile';

/** `file PATH { … }` */
export const writeFile: WriteModule = (options) => {
  if (!isObject(options)) return null;
  const block = optionLines(options, [
    ['mode', 'mode'],
    ['dir_mode', 'dir_mode'],
    ['direct', 'direct', noWords],
    ['roll_disabled', 'roll', noWords],
    ['roll_uncompressed', 'roll_gzip', noWords],
    ['roll_compression', 'roll_compression'],
    ['roll_local_time', 'roll_local_time', noWords],
    ['roll_size', 'roll_size_mb', (size) => words(size).map((each) => `${each}MiB`)],
    ['roll_keep', 'roll_keep'],
    ['roll_keep_for', 'roll_keep_days', (days) => words(days).map((each) => `${each}d`)],
    ['roll_interval', 'roll_interval', durationWord],
    ['roll_minutes', 'roll_minutes'],
    ['roll_at', 'roll_at'],
    ['backup_time_format', 'backup_time_format'],
  ]);
  return [written(words(options['filename']), block)];
};
