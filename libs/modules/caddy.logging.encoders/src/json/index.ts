/** `caddy.logging.encoders.json`: one JSON object per line, written by pino. */
import { pino } from 'pino';
import { defineModule, logEncoders, options, type LogEncoder } from '@sluice/registry';
import { encoderFields, readEntryFormat, type EntryFormat } from '../common/options.ts';
import { plainFields, stringify } from '../common/plain.ts';

/** The module. */
export const jsonModule = defineModule(logEncoders, {
  name: 'json',
  help: 'Writes entries as JSON, one object per line.',
  config: options(encoderFields),
  provision: (config, context) =>
    jsonEncoder(readEntryFormat(config, { time: 'unix_seconds_float', level: 'lower' }, context)),
});

/** Makes a JSON encoder. Pino writes the fields; the head of the line is ours, as its keys can be chosen. */
export function jsonEncoder(format: EntryFormat): LogEncoder {
  let line = '';
  const writer = pino(
    { base: null, timestamp: false, level: 'trace', messageKey: '\u0000', formatters: { level: () => ({}) } },
    { write: (text: string) => (line = text) },
  );
  return {
    encode: (entry) => {
      const head: Record<string, unknown> = {};
      if (format.levelKey !== null) head[format.levelKey] = format.level(entry.level);
      if (format.timeKey !== null) head[format.timeKey] = format.time(entry);
      if (format.nameKey !== null && entry.logger !== '') head[format.nameKey] = entry.logger;
      if (format.messageKey !== null) head[format.messageKey] = entry.message;
      const fields = plainFields(entry.fields, format);
      for (const key of Object.keys(head)) delete fields[key];
      try {
        writer.info(fields);
      } catch {
        line = stringify(fields);
      }
      const start = stringify(head).slice(0, -1);
      const rest = line.trimEnd().replace(/^\{,?/, '');
      return `${start}${rest === '}' ? '' : start === '{' ? '' : ','}${rest}${format.lineEnding}`;
    },
  };
}
