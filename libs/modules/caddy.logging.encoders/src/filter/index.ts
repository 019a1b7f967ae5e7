/** The module `caddy.logging.encoders.filter`, which changes or removes fields before another encoder writes the entry. */
import { defineModule, inlineModule, inlineModuleMap, options } from '@sluice/registry';
import { logEncoders, logFieldFilters } from '@sluice/contracts';
import { FilterTree } from './filter-tree.ts';

export const filterModule = defineModule(logEncoders, {
  name: 'filter',
  help: 'Changes or deletes fields of log entries.',
  config: options({
    wrap: inlineModule('Encoder that writes the filtered log entry. Default: json.', logEncoders, 'format'),
    fields: inlineModuleMap(
      'Map of field names, or paths such as `request>headers>Authorization`, to filters.',
      logFieldFilters,
      'filter',
    ),
  }),
  async provision(config, context) {
    const inner = await context.loadInline(logEncoders, config.wrap ?? { format: 'json' }, 'format', 'wrap');
    const tree = new FilterTree();
    for (const [path, node] of Object.entries(config.fields ?? {})) {
      tree.add(path.split('>'), await context.loadInline(logFieldFilters, node, 'filter', 'fields', path));
    }
    return { encode: (entry) => inner.encode({ ...entry, fields: tree.apply(entry.fields) }) };
  },
});
