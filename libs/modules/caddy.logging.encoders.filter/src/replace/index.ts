/** `caddy.logging.encoders.filter.replace`: puts a fixed value in place of the field's. */
import { defineModule, options, string } from '@sluice/registry';
import { logFieldFilters } from '@sluice/contracts';

/** The module. */
export const replaceModule = defineModule(logFieldFilters, {
  name: 'replace',
  help: 'Replaces the field with a fixed value.',
  config: options({ value: string('New value.') }),
  provision: (config) => ({ filter: (key) => ({ key, value: config.value ?? '' }) }),
});
