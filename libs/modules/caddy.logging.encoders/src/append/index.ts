/** `caddy.logging.encoders.append`: adds fields to every entry. */
import {
  anything,
  compileTemplate,
  defineModule,
  inlineModule,
  logEncoders,
  map,
  options,
  resolveGlobal,
} from '@sluice/registry';

/** The module. */
export const appendModule = defineModule(logEncoders, {
  name: 'append',
  help: 'Adds fields to every entry and gives it to another encoder.',
  config: options({
    wrap: inlineModule('The encoder of the whole. Default json.', logEncoders, 'format'),
    fields: map('Fields; placeholders such as {env.NAME} in texts are replaced once.', anything()),
  }),
  async provision(config, context) {
    const inner = await context.loadInline(logEncoders, config.wrap ?? { format: 'json' }, 'format', 'wrap');
    const fields = Object.fromEntries(
      Object.entries(config.fields ?? {}).map(([name, value]) => [
        name,
        typeof value === 'string' ? compileTemplate<null>(value, resolveGlobal, 'keep').expand(null) : value,
      ]),
    );
    return { encode: (entry) => inner.encode({ ...entry, fields: { ...entry.fields, ...fields } }) };
  },
});
