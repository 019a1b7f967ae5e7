/** `caddy.logging.encoders.filter.set_cookie`: changes cookies of Set-Cookie fields. */
import { defineModule, logFieldFilters } from '@sluice/registry';
import { compileCookieActions, cookieOptions } from '../common/cookies.ts';

/** The module. */
export const setCookieModule = defineModule(logFieldFilters, {
  name: 'set_cookie',
  help: 'Deletes, replaces or hashes cookies that answers set; their attributes stay.',
  config: cookieOptions,
  provision(config, context) {
    const change = compileCookieActions(config, context);
    return {
      filter: (key, value) => {
        const lines = (Array.isArray(value) ? value : [value]).flatMap((line: unknown) => {
          if (typeof line !== 'string') return [line];
          const end = line.indexOf(';');
          const pair = change(end < 0 ? line : line.slice(0, end));
          return pair === null ? [] : [pair + (end < 0 ? '' : line.slice(end))];
        });
        return { key, value: Array.isArray(value) ? lines : (lines[0] ?? '') };
      },
    };
  },
});
