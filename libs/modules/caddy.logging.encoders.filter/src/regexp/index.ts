/** The module `caddy.logging.encoders.filter.regexp`, which replaces matches of a regular expression. */
import { compileRegExp } from '@sluice/base';
import { defineModule, options, string } from '@sluice/registry';
import { logFieldFilters } from '@sluice/contracts';
import { textFilter } from '../common/strings.ts';

export const regexpModule = defineModule(logFieldFilters, {
  name: 'regexp',
  help: 'Replaces all matches of a regular expression in a field.',
  config: options({
    regexp: string('Regular expression (RE2 syntax).'),
    value: string('Replacement string. `$1` expands to the first capture group.'),
  }),
  provision(config) {
    const expression = compileRegExp(config.regexp ?? '');
    return textFilter((text) => expression.replaceAll(text, config.value ?? ''));
  },
});
