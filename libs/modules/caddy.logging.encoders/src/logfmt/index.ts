/** The module `caddy.logging.encoders.logfmt`, which writes `key=value` pairs. Logs a deprecation warning once per configuration. */
import { defineModule, options } from '@sluice/registry';
import { logEncoders } from '@sluice/contracts';
import { fieldJson } from '@sluice/base';
import { encoderFields, readEntryFormat } from '../common/options.ts';
import { entryObject } from '../common/plain.ts';

export const logfmtModule = defineModule(logEncoders, {
  name: 'logfmt',
  help: 'Writes log entries as key=value pairs. Deprecated and will be removed; use json or console instead.',
  config: options(encoderFields),
  async provision(config, context) {
    if (context.roles.control)
      context.log.warn('the logfmt encoder is deprecated and will be removed; use json or console');
    const format = await readEntryFormat(config, { time: 'unix_seconds_float', level: 'lower' }, context);
    return { encode: (entry) => pairs(entryObject(entry, format), '').join(' ') + format.lineEnding };
  },
});

/** Returns an object as `key=value` pairs. Nested objects result in keys with dots. */
function pairs(object: Record<string, unknown>, prefix: string): string[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const name = (prefix + key).replaceAll(/[\s="]/g, '_');
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return pairs(value as Record<string, unknown>, `${name}.`);
    return [`${name}=${quoted(typeof value === 'string' ? value : fieldJson(value))}`];
  });
}

function quoted(text: string): string {
  return text === '' || /[\s="\\]|\p{Cc}/u.test(text) ? JSON.stringify(text) : text;
}
