/** `caddy.logging.encoders.filter.multi_regexp`: several replacements, one after the other. */
import { compileRegExp } from '@sluice/base';
import { defineModule, list, options, string } from '@sluice/registry';
import { logFieldFilters } from '@sluice/contracts';
import { textFilter } from '../common/strings.ts';

/** The module. */
export const multiRegexpModule = defineModule(logFieldFilters, {
  name: 'multi_regexp',
  help: 'Replaces what several regular expressions find, in their order.',
  config: options({
    operations: list(
      'Replacements.',
      options({ regexp: string('Regular expression (RE2 syntax).'), value: string('What to put in its place.') }),
    ),
  }),
  provision(config, context) {
    if (!config.operations?.length) throw context.error('at least one is needed', 'operations');
    const steps = config.operations.map(({ regexp, value }) => ({
      expression: compileRegExp(regexp ?? ''),
      value: value ?? '',
    }));
    return textFilter((text) =>
      steps.reduce((result, { expression, value }) => expression.replaceAll(result, value), text),
    );
  },
});
