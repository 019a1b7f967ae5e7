/** `caddy.logging.encoders.filter.rename`: gives the field another name. */
import { defineModule, options, string } from '@sluice/registry';
import { logFieldFilters } from '@sluice/contracts';

/** The module. */
export const renameModule = defineModule(logFieldFilters, {
  name: 'rename',
  help: 'Gives the field another name.',
  config: options({ name: string('The new name.') }),
  provision: (config) => ({ filter: (_, value) => ({ key: config.name ?? '', value }) }),
});
