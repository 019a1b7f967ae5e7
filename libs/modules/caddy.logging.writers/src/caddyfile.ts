/** Caddyfile syntax for log writers. */
import { isObject, type Json } from '@sluice/base';
import {
  duration,
  flag,
  integer,
  list,
  named,
  oneOf,
  readDuration,
  readInteger,
  readSize,
  syntax,
  text,
  word,
  words,
  type Dispenser,
  type Term,
} from '@sluice/caddyfile';

const within = [':8080', 'log', 'output %'];
const nanosecondsOfDay = 86_400e9;
const compressions = ['none', 'gzip', 'zstd'];

/** Declares a size option, whose JSON value is in mebibytes. */
function mebibytes(field: string, help: string, keep = false): Term {
  return word('<size>', {
    field,
    help,
    keep,
    convert: (reader, value) => Math.ceil(readSize(reader, value, 'size') / 2 ** 20),
    words: (value) => words(value).map((each) => `${each}MiB`),
  });
}

/** Declares an option with values separated by spaces or commas. */
function commaSeparated(shown: string, each: (reader: Dispenser, value: string) => Json): Term {
  return list(shown, {
    all(reader, found, option) {
      const values = found.flatMap((word) => word.split(',').map((value) => value.trim()));
      if (values.includes('')) throw reader.error(`parsing ${option}: empty value`);
      return values.map((value) => each(reader, value));
    },
  });
}

/** Syntax of `option NAME VALUE`. A value that is valid JSON is parsed, and any other value is a string. */
const transportOption: Term = {
  shown: '<name> <value>',
  field: 'options',
  help: 'Option for the transport. If the value is valid JSON, it is parsed.',
  read(reader, draft) {
    const [name, value, ...rest] = reader.arguments();
    if (name === undefined || value === undefined || rest.length > 0)
      throw reader.error('option requires a name and a value');
    draft.put(['options', name], parsed(value), true);
  },
  write: (option, { options }) =>
    Object.entries(isObject(options) ? options : {}).map(([name, value]) => ({
      words: [option, name, typeof value === 'string' && parsed(value) === value ? value : JSON.stringify(value)],
    })),
};

function parsed(value: string): Json {
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

export const syntaxes = {
  net: syntax({
    line: text('<address>', { field: 'address' }),
    block: { dial_timeout: duration(), soft_start: flag() },
    within,
    example: 'net 10.0.0.9:9000 {\n\tsoft_start\n}',
  }),
  file: syntax({
    line: text('<path>', { field: 'filename' }),
    block: {
      mode: word('<octal>', {
        convert(reader, value) {
          if (/^[0-7]{1,4}$/.test(value)) return value.padStart(4, '0');
          throw reader.error(`parsing mode: '${value}' is not an octal number`);
        },
      }),
      dir_mode: word('<octal>|inherit|from_file', {
        convert(reader, value) {
          if (value === 'inherit' || value === 'from_file' || /^[0-7]{1,4}$/.test(value)) return value;
          throw reader.error(`parsing dir_mode: '${value}' is not an octal number, inherit or from_file`);
        },
      }),
      direct: flag(),
      roll_disabled: flag({ field: 'roll', value: false, help: 'Disables rotation.' }),
      roll_uncompressed: flag({ field: 'roll_gzip', value: false, help: 'Disables compression of rotated files.' }),
      roll_compression: oneOf(compressions, {
        otherwise: () => `roll_compression must be one of: ${compressions.join(', ')}`,
      }),
      roll_local_time: flag(),
      roll_size: mebibytes('roll_size_mb', 'File size at which to rotate. Default: 100 MiB.'),
      roll_keep: integer('<count>', { what: 'roll_keep number' }),
      roll_keep_for: word('<duration>', {
        field: 'roll_keep_days',
        help: 'Time for which to keep rotated files, rounded up to days. Default: 90 days.',
        convert(reader, value) {
          const time = readDuration(reader, value, 'roll_keep_for');
          if (time < 0) throw reader.error('negative roll_keep_for duration');
          return Math.ceil(time / nanosecondsOfDay);
        },
        words: (days) => words(days).map((each) => `${each}d`),
      }),
      roll_interval: duration(),
      roll_minutes: commaSeparated('<minute>…', (reader, value) => readInteger(reader, value, 'roll_minutes number')),
      roll_at: commaSeparated('<hh:mm>…', (_reader, value) => value),
      backup_time_format: text('<format>'),
    },
    within,
    example: 'file /var/log/site.log {\n\troll_size 50MiB\n\troll_keep 5\n}',
  }),
  pino: syntax({
    line: text('<target>', { field: 'target', keep: true }),
    block: {
      option: transportOption,
      max_queue: mebibytes('max_queue_mb', 'Maximum size of the queue for the transport.', true),
    },
    within,
    example: 'pino pino-loki {\n\toption host http://loki:3100\n}',
  }),
  discard: named({ within }),
  stderr: named({ within }),
  stdout: named({ within }),
};
