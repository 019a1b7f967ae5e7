/** `caddy.logging.encoders.filter.rename`: gives the field another name. */
import { defineModule, logFieldFilters, options, string } from '@sluice/registry';

/** The module. */
export const renameModule = defineModule(logFieldFilters, {
  name: 'rename',
  help: 'Gives the field another name.',
  config: options({ name: string('The new name.') }),
  provision: (config) => ({ filter: (_, value) => ({ key: config.name ?? '', value }) }),
});
