/** `file PATH { mode …; dir_mode …; direct; roll_disabled; roll_size …; roll_keep …; … }` */
import { compact, readDuration, readInteger, readSize, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

type Read = (fields: Record<string, Json>, reader: Dispenser) => void;

const nanosecondsOfDay = 86_400e9;
const bytesOfMegabyte = 2 ** 20;
const flags: Readonly<Record<string, readonly [string, boolean]>> = {
  direct: ['direct', true],
  roll_disabled: ['roll', false],
  roll_uncompressed: ['roll_gzip', false],
  roll_local_time: ['roll_local_time', true],
};

const readers: Readonly<Record<string, Read>> = {
  mode: (fields, reader) => {
    const text = reader.onlyArgument();
    if (!/^[0-7]{1,4}$/.test(text)) throw reader.error(`parsing mode: '${text}' is not an octal number`);
    fields['mode'] = text.padStart(4, '0');
  },
  dir_mode: (fields, reader) => {
    const text = reader.onlyArgument();
    if (text !== 'inherit' && text !== 'from_file' && !/^[0-7]{1,4}$/.test(text)) {
      throw reader.error(`parsing dir_mode: '${text}' is not an octal number, inherit or from_file`);
    }
    fields['dir_mode'] = text;
  },
  roll_size: (fields, reader) => {
    fields['roll_size_mb'] = Math.ceil(readSize(reader, reader.onlyArgument(), 'size') / bytesOfMegabyte);
  },
  roll_compression: (fields, reader) => {
    const name = reader.onlyArgument();
    if (name !== 'none' && name !== 'gzip' && name !== 'zstd') {
      throw reader.error('roll_compression must be one of: none, gzip, zstd');
    }
    fields['roll_compression'] = name;
  },
  roll_keep: (fields, reader) => {
    fields['roll_keep'] = readInteger(reader, reader.onlyArgument(), 'roll_keep number');
  },
  roll_keep_for: (fields, reader) => {
    const time = readDuration(reader, reader.onlyArgument(), 'roll_keep_for');
    if (time < 0) throw reader.error('negative roll_keep_for duration');
    fields['roll_keep_days'] = Math.ceil(time / nanosecondsOfDay);
  },
  roll_interval: (fields, reader) => {
    fields['roll_interval'] = readDuration(reader, reader.onlyArgument(), 'roll_interval');
  },
  roll_minutes: (fields, reader) => {
    fields['roll_minutes'] = commaSeparated(reader, 'roll_minutes').map((word) =>
      readInteger(reader, word, 'roll_minutes number'),
    );
  },
  roll_at: (fields, reader) => {
    fields['roll_at'] = commaSeparated(reader, 'roll_at');
  },
  backup_time_format: (fields, reader) => {
    fields['backup_time_format'] = reader.onlyArgument();
  },
};

/** Returns the values of an option, which are separated by spaces or commas. */
function commaSeparated(reader: Dispenser, option: string): string[] {
  const values = reader.arguments().flatMap((word) => word.split(',').map((value) => value.trim()));
  if (values.includes('')) throw reader.error(`parsing ${option}: empty value`);
  return values;
}

/** Reads the path and the options. */
export function readFile(reader: Dispenser): Json {
  const fields: Record<string, Json> = { filename: reader.onlyArgument() };
  const said: Record<string, Json> = {};
  for (const option of reader.block()) {
    const flag = Object.hasOwn(flags, option) ? flags[option] : undefined;
    const read = Object.hasOwn(readers, option) ? readers[option] : undefined;
    if (flag !== undefined) {
      reader.noArguments();
      said[flag[0]] = flag[1];
    } else if (read === undefined) {
      throw reader.error(`unrecognized subdirective '${option}'`);
    } else {
      read(fields, reader);
    }
  }
  return { ...compact(fields), ...said };
}
