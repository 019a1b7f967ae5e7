/** SL027. */
import { caddyfile, defineLint } from '@sluice/registry';
import { hasGuard, isGuard } from '../guards.ts';
import { deadIn } from '../reach/walk.ts';

export const lateGuard = defineLint({
  code: 'SL027',
  name: 'late-guard',
  severity: 'error',
  summary: 'Authentication or a request limit comes after routes that have already responded.',
  details: `What stands before it takes the requests, so that no one is asked for a password and nothing is limited. Put it first. The blocks \`route\` of a
Caddyfile keep the order that is written; elsewhere it puts authentication before what responds.`,
  bad: caddyfile(`http://127.0.0.1:8080 {
	bind 127.0.0.1
	route {
		respond "secret"
		basic_auth {
			anna $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG
		}
	}
}
`),
  good: caddyfile(`http://127.0.0.1:8080 {
	bind 127.0.0.1
	route {
		basic_auth {
			anna $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG
		}
		respond "secret"
	}
}
`),
  async check(configuration, report) {
    const { routes, handlers } = await deadIn(configuration);
    for (const { route, by } of routes) {
      if (!hasGuard(route)) continue;
      report(route.path, 'guards nothing: a route before it takes the requests; move it before that one', {
        related: [{ path: by.path, message: 'the route that takes them' }],
      });
    }
    for (const { handler, by } of handlers) {
      if (!isGuard(handler)) continue;
      report(
        handler.path,
        `guards nothing: the handler ${by.name} before it passes nothing on; move it before that one`,
        {
          related: [{ path: by.path, message: 'the handler that ends' }],
        },
      );
    }
  },
});
