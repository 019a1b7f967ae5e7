/** `caddy.logging.encoders.filter`: changes or drops single fields, then gives the entry to another encoder. */
import {
  anything,
  defineModule,
  inlineModule,
  logEncoders,
  logFieldFilters,
  map,
  options,
  type JsonObject,
  type LogFieldFilter,
} from '@sluice/registry';

/** The module. */
export const filterModule = defineModule(logEncoders, {
  name: 'filter',
  help: 'Changes or drops single fields of entries.',
  config: options({
    wrap: inlineModule('The encoder of what is left. Default json.', logEncoders, 'format'),
    fields: map('Field, or path such as `request>headers>Authorization`, -> filter, its name in `filter`.', anything()),
  }),
  async provision(config, context) {
    const inner = await context.loadInline(logEncoders, config.wrap ?? { format: 'json' }, 'format', 'wrap');
    const filters: { path: readonly string[]; filter: LogFieldFilter }[] = [];
    for (const [path, node] of Object.entries(config.fields ?? {})) {
      if (path !== '@id')
        filters.push({
          path: path.split('>'),
          filter: await context.loadInline(logFieldFilters, node as JsonObject, 'filter', 'fields', path),
        });
    }
    return {
      encode: (entry) => {
        let fields = entry.fields as Record<string, unknown>;
        for (const { path, filter } of filters) fields = filtered(fields, path, filter);
        return inner.encode({ ...entry, fields });
      },
    };
  },
});

/** A copy of an object in which the value at a path went through a filter. */
function filtered(
  object: Record<string, unknown>,
  path: readonly string[],
  filter: LogFieldFilter,
): Record<string, unknown> {
  const [key = '', ...rest] = path;
  if (!Object.hasOwn(object, key)) return object;
  const value = object[key];
  if (rest.length > 0) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return object;
    return { ...object, [key]: filtered(value as Record<string, unknown>, rest, filter) };
  }
  const result = filter.filter(key, value);
  const copy: Record<string, unknown> = {};
  for (const [name, other] of Object.entries(object))
    if (name !== key) copy[name] = other;
    else if (result !== null) copy[result.key] = result.value;
  return copy;
}
