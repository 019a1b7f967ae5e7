/** The module `caddy.logging.encoders.json`, which writes one JSON object per line. */
import { defineModule, options } from '@sluice/registry';
import { logEncoders, type LogEncoder } from '@sluice/contracts';
import { fieldMembers } from '@sluice/base';
import { JsonHead } from '../common/head.ts';
import { encoderFields, readEntryFormat, type EntryFormat } from '../common/options.ts';
import { plainFields } from '../common/plain.ts';

export const jsonModule = defineModule(logEncoders, {
  name: 'json',
  help: 'Writes log entries as JSON, one object per line.',
  config: options(encoderFields),
  provision: async (config, context) =>
    jsonEncoder(await readEntryFormat(config, { time: 'unix_seconds_float', level: 'lower' }, context)),
});

/** Creates a JSON encoder. Deferred fields are already serialized, so no object is created for an access log entry. */
function jsonEncoder(format: EntryFormat): LogEncoder {
  const head = new JsonHead(format);
  const end = `}${format.lineEnding}`;
  return {
    encode: (entry) => {
      const deferred = entry.deferred ?? null;
      const fields =
        deferred !== null && format.plainDurations ? deferred.json() : fieldMembers(plainFields(entry.fields, format));
      return (fields === '' ? head.alone(entry) : head.beforeFields(entry)) + fields + end;
    },
  };
}
