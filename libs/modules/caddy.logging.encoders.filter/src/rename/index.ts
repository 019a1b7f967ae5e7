/** The module `caddy.logging.encoders.filter.rename`, which renames a field in log entries. */
import { defineModule, options, string } from '@sluice/registry';
import { logFieldFilters } from '@sluice/contracts';

export const renameModule = defineModule(logFieldFilters, {
  name: 'rename',
  help: 'Renames a field.',
  config: options({ name: string('New name for the field.') }),
  provision: (config) => ({ filter: (_, value) => ({ key: config.name ?? '', value }) }),
});
