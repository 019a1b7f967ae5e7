/** `http.matchers.cookie`: matches requests with a given cookie. */
import { defineModule, httpMatchers, options, string, type HttpMatcher } from '@sluice/module';

/** Example: `{"match": [{"cookie": {"name": "beta"}}]}` */
export const cookieModule = defineModule(httpMatchers, {
  name: 'cookie',
  help: 'Matches requests with a given cookie.',
  config: options({ name: string('Cookie name.') }),
  provision({ name }, context): HttpMatcher {
    if (name == null || name === '') throw context.error('the cookie name is missing', 'name');
    const start = `${name}=`;
    return {
      match({ headers }) {
        const field = headers.get('cookie') ?? '';
        return field.startsWith(start) || field.includes(`; ${start}`);
      },
    };
  },
});
