/** The module `caddy.logging.encoders.filter.replace`, which replaces a field with a fixed value. */
import { defineModule, options, string } from '@sluice/registry';
import { logFieldFilters } from '@sluice/contracts';

export const replaceModule = defineModule(logFieldFilters, {
  name: 'replace',
  help: 'Replaces the value of a field with a fixed value.',
  config: options({ value: string('Value to set.') }),
  provision: (config) => ({ filter: (key) => ({ key, value: config.value ?? '' }) }),
});
