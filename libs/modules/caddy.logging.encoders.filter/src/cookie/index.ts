/** `caddy.logging.encoders.filter.cookie`: changes cookies of a Cookie field. */
import { defineModule, logFieldFilters } from '@sluice/registry';
import { compileCookieActions, cookieOptions } from '../common/cookies.ts';
import { textFilter } from '../common/strings.ts';

/** The module. */
export const cookieModule = defineModule(logFieldFilters, {
  name: 'cookie',
  help: 'Deletes, replaces or hashes cookies that clients send.',
  config: cookieOptions,
  provision(config, context) {
    const change = compileCookieActions(config, context);
    return textFilter((field) =>
      field
        .split(';')
        .map((pair) => change(pair.trim()))
        .filter((pair) => pair !== null)
        .join('; '),
    );
  },
});
