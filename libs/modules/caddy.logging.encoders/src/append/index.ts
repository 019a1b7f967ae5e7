/** The module `caddy.logging.encoders.append`, which adds fields to every log entry. */
import { anything, defineModule, inlineModule, map, options } from '@sluice/registry';
import { logEncoders } from '@sluice/contracts';
import { resolveGlobal } from '@sluice/base';

export const appendModule = defineModule(logEncoders, {
  name: 'append',
  help: 'Adds fields to every log entry, then passes the entry to another encoder.',
  config: options({
    wrap: inlineModule('Encoder that writes the log entry. Default: json.', logEncoders, 'format'),
    fields: map(
      'Fields to add to log entries. A value that consists of a single placeholder, such as {env.NAME}, is replaced once, when the configuration is loaded.',
      anything(),
    ),
  }),
  async provision(config, context) {
    const inner = await context.loadInline(logEncoders, config.wrap ?? { format: 'json' }, 'format', 'wrap');
    const fields = Object.fromEntries(
      Object.entries(config.fields ?? {}).map(([name, value]) => [
        name,
        typeof value === 'string' ? expand(value) : value,
      ]),
    );
    return { encode: (entry) => inner.encode({ ...entry, fields: { ...entry.fields, ...fields } }) };
  },
});

/** Expands a string that consists of a single placeholder. Returns null if the placeholder is unknown. Other strings are returned unchanged. */
function expand(text: string): unknown {
  if (!/^\{[^{}]+\}$/.test(text)) return text;
  return resolveGlobal(text.slice(1, -1))?.(null) ?? null;
}
