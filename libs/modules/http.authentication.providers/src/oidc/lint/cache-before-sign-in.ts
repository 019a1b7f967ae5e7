/** Lint check SL072. */
import { isObject, listAt, type Json } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import { enclosingRoutes } from './enclosing-routes.ts';

export const cacheBeforeSignIn = defineLint({
  code: 'SL072',
  name: 'cache-before-sign-in',
  severity: 'error',
  summary: 'A cache precedes a sign-in, so it can serve private pages to anyone.',
  details: `A cache that precedes the sign-in responds with stored pages before the session is checked. HTTP forbids caches from storing responses to requests with an \`Authorization\` field, but a session is a cookie. Put \`cache\` after \`oidc\`, which is also the default directive order outside \`route\` blocks. Signed-in users still share the stored pages.`,
  bad: caddyfile(`app.example.com {
	route {
		cache
		oidc {
			issuer https://id.example.com
			client_id app
		}
		reverse_proxy 127.0.0.1:9000
	}
}
`),
  good: caddyfile(`app.example.com {
	cache
	oidc {
		issuer https://id.example.com
		client_id app
	}
	reverse_proxy 127.0.0.1:9000
}
`),
  check(configuration, report) {
    for (const { path } of configuration.modulesOf('http.authentication.providers.oidc')) {
      const comesFirst = enclosingRoutes(configuration, path).some(
        ({ list, index, route, handler }) =>
          list.slice(0, index).some((each) => listAt(each, ['handle']).some(isCache)) ||
          listAt(route, ['handle']).slice(0, handler).some(isCache),
      );
      if (comesFirst)
        report(
          path,
          'comes after a cache, so clients without a session receive stored pages: put the cache after the sign-in',
        );
    }
  },
});

function isCache(handler: Json): boolean {
  return isObject(handler) && handler['handler'] === 'cache';
}
