/** `caddy.logging.encoders.json`: one JSON object per line. */
import { createRequire } from 'node:module';
import type * as Pino from 'pino';
import { defineModule, options } from '@sluice/registry';
import { logEncoders, type LogEncoder } from '@sluice/contracts';
import type { LogEntry } from '@sluice/base';
import { JsonHead } from '../common/head.ts';
import { encoderFields, readEntryFormat, type EntryFormat } from '../common/options.ts';
import { plainFields, stringify } from '../common/plain.ts';

export const jsonModule = defineModule(logEncoders, {
  name: 'json',
  help: 'Writes entries as JSON, one object per line.',
  config: options(encoderFields),
  provision: async (config, context) =>
    jsonEncoder(await readEntryFormat(config, { time: 'unix_seconds_float', level: 'lower' }, context)),
});

/**
 * Creates a JSON encoder. The head of a line is written here, because its keys are configurable; pino writes the fields. Deferred fields
 * are pre-serialized, so that no object is created for a request log line.
 */
function jsonEncoder(format: EntryFormat): LogEncoder {
  const head = new JsonHead(format);
  const fieldsOf = compileFields(format);
  const end = `}${format.lineEnding}`;
  return {
    encode: (entry) => {
      const deferred = entry.deferred ?? null;
      const fields = deferred !== null && format.plainDurations ? deferred.json() : fieldsOf(entry);
      return (fields === '' ? head.alone(entry) : head.beforeFields(entry)) + fields + end;
    },
  };
}

const require = createRequire(import.meta.url);

/** The library is loaded for the first entry that needs it; request entries are pre-serialized. */
function makeWriter(write: (text: string) => void): Pino.Logger {
  const { pino } = require('pino') as typeof Pino;
  return pino(
    { base: null, timestamp: false, level: 'trace', messageKey: '\u0000', formatters: { level: () => ({}) } },
    { write },
  );
}

/** Returns a function that writes fields as object members without braces. */
function compileFields(format: EntryFormat): (entry: LogEntry) => string {
  let line = '';
  let writer: Pino.Logger | null = null;
  return (entry) => {
    const fields = plainFields(entry.fields, format);
    writer ??= makeWriter((text) => (line = text));
    try {
      writer.info(fields);
    } catch {
      line = stringify(fields);
    }
    const start = line.startsWith('{,') ? 2 : 1;
    return line.slice(start, line.lastIndexOf('}'));
  };
}
