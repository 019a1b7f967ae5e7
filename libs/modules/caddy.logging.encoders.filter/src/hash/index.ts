/**
 * The module `caddy.logging.encoders.filter.hash`, which replaces values with their hashes. Hashes can be compared, but do not reveal the
 * value.
 */
import { createHash } from 'node:crypto';
import { defineModule, options } from '@sluice/registry';
import { logFieldFilters } from '@sluice/contracts';
import { textFilter } from '../common/strings.ts';

export const hashModule = defineModule(logFieldFilters, {
  name: 'hash',
  help: 'Replaces the value of a field with the first eight hexadecimal digits of its SHA-256 hash.',
  config: options({}),
  provision: () => textFilter((text) => createHash('sha256').update(text).digest('hex').slice(0, 8)),
});
