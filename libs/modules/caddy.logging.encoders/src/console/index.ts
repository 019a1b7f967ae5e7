/** `caddy.logging.encoders.console`: human-readable lines. */
import { defineModule, options } from '@sluice/registry';
import { logEncoders, type LogEncoder } from '@sluice/contracts';
import { spacedFieldJson } from '@sluice/base';
import { encoderFields, readEntryFormat, type EntryFormat } from '../common/options.ts';
import { withoutTime } from '../common/without-time.ts';
import { plainFields } from '../common/plain.ts';

export const consoleModule = defineModule(logEncoders, {
  name: 'console',
  help: 'Writes human-readable log entries: time, level, logger, message, and the fields as JSON, separated by tabs.',
  config: options(encoderFields),
  async provision(config, context) {
    const format = await readEntryFormat(config, { time: 'wall_milli', level: 'color' }, context);
    return consoleEncoder(context.find(withoutTime) === true ? { ...format, timeKey: null } : format);
  },
});

function consoleEncoder(format: EntryFormat): LogEncoder {
  return {
    encode: (entry) => {
      const parts: string[] = [];
      if (format.timeKey !== null) parts.push(visible(String(format.time(entry))));
      if (format.levelKey !== null) parts.push(format.level(entry.level));
      if (format.nameKey !== null && entry.logger !== '') parts.push(visible(entry.logger));
      if (format.messageKey !== null) parts.push(visible(entry.message));
      const fields = plainFields(entry.fields, format);
      if (Object.keys(fields).length > 0) parts.push(visible(spacedFieldJson(fields)));
      return parts.join('\t') + format.lineEnding;
    },
  };
}

/** Escapes control characters, because clients control some of the logged values. */
function visible(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (unit) => `\\x${unit.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
