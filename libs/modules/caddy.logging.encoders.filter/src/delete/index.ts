/** `caddy.logging.encoders.filter.delete`: drops the field. */
import { defineModule, options } from '@sluice/registry';
import { logFieldFilters } from '@sluice/contracts';

/** The module. */
export const deleteModule = defineModule(logFieldFilters, {
  name: 'delete',
  help: 'Deletes the field.',
  config: options({}),
  provision: () => ({ filter: () => null }),
});
