/** The module `caddy.logging.encoders.filter.multi_regexp`, which applies several regular expression replacements in order. */
import { compileRegExp } from '@sluice/base';
import { defineModule, list, options, string } from '@sluice/registry';
import { logFieldFilters } from '@sluice/contracts';
import { textFilter } from '../common/strings.ts';

export const multiRegexpModule = defineModule(logFieldFilters, {
  name: 'multi_regexp',
  help: 'Replaces all matches of several regular expressions, in order.',
  config: options({
    operations: list(
      'Replacements to make, in order.',
      options({ regexp: string('Regular expression (RE2 syntax).'), value: string('Replacement string.') }),
    ),
  }),
  provision(config, context) {
    if (!config.operations?.length) throw context.error('must have at least one operation', 'operations');
    const steps = config.operations.map(({ regexp, value }) => ({
      expression: compileRegExp(regexp ?? ''),
      value: value ?? '',
    }));
    return textFilter((text) =>
      steps.reduce((result, { expression, value }) => expression.replaceAll(result, value), text),
    );
  },
});
