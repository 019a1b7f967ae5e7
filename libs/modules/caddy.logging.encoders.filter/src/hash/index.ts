/** `caddy.logging.encoders.filter.hash`: replaces values with hashes, which are comparable but reveal nothing. */
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
