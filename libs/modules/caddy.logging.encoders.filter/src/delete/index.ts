/** The module `caddy.logging.encoders.filter.delete`, which removes a field from log entries. */
import { defineModule, options } from '@sluice/registry';
import { logFieldFilters } from '@sluice/contracts';

export const deleteModule = defineModule(logFieldFilters, {
  name: 'delete',
  help: 'Deletes a field.',
  config: options({}),
  provision: () => ({ filter: () => null }),
});
