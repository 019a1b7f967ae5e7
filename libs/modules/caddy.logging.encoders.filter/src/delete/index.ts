/** `caddy.logging.encoders.filter.delete`: drops the field. */
import { defineModule, logFieldFilters, options } from '@sluice/registry';

/** The module. */
export const deleteModule = defineModule(logFieldFilters, {
  name: 'delete',
  help: 'Drops the field.',
  config: options({}),
  provision: () => ({ filter: () => null }),
});
