/** `http.matchers.cookie`: matches requests that have a cookie. */
import { defineModule, httpMatchers, options, string, type HttpMatcher } from '@sluice/module';

/** `{"match": [{"cookie": {"name": "beta"}}]}` */
export const cookieModule = defineModule(httpMatchers, {
  name: 'cookie',
  help: 'Matches requests that have a cookie of this name.',
  config: options({ name: string('Name of the cookie.') }),
  provision({ name }, context): HttpMatcher {
    if (name == null || name === '') throw context.error('the name of a cookie is needed', 'name');
    const start = `${name}=`;
    return {
      match({ headers }) {
        const field = headers.get('cookie') ?? '';
        return field.startsWith(start) || field.includes(`; ${start}`);
      },
    };
  },
});
