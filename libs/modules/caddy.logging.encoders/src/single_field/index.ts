/** The module `caddy.logging.encoders.single_field`, which writes one field of each entry as the complete line. */
import { defineModule, inlineModule, options, string } from '@sluice/registry';
import { logEncoders } from '@sluice/contracts';
import { fieldJson } from '@sluice/base';

export const singleFieldModule = defineModule(logEncoders, {
  name: 'single_field',
  help: 'Writes only a single field of each log entry.',
  config: options({
    field: string('Name of the field: `msg`, `level`, `logger`, or a path such as `request>host`.'),
    fallback: inlineModule('Encoder for log entries that do not have the field. Default: json.', logEncoders, 'format'),
  }),
  async provision(config, context) {
    const path = (config.field ?? '').split('>');
    if (path[0] === '') throw context.error('field is missing', 'field');
    const fallback = await context.loadInline(logEncoders, config.fallback ?? { format: 'json' }, 'format', 'fallback');
    return {
      encode: (entry) => {
        let value: unknown = { msg: entry.message, level: entry.level, logger: entry.logger, ...entry.fields };
        for (const key of path)
          value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
        if (value === undefined) return fallback.encode(entry);
        return `${typeof value === 'string' ? value.replaceAll('\n', String.raw`\n`) : fieldJson(value)}\n`;
      },
    };
  },
});
