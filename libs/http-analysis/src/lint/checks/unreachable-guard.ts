/** Lint check SL027. */
import { caddyfile, defineLint } from '@sluice/registry';
import { hasGuard, isGuard } from '../guards.ts';
import { deadIn } from '../reach/walk.ts';

export const unreachableGuard = defineLint({
  code: 'SL027',
  name: 'unreachable-guard',
  severity: 'error',
  summary: 'Authentication or a request limit is unreachable, because an earlier handler responds.',
  details: `An earlier route or handler responds, so the authentication or limit never runs. Put the authentication or limit first. In a Caddyfile, \`route\` preserves the order; everywhere else, authentication comes before handlers that respond.`,
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
      report(
        route.path,
        'has no effect, because an earlier route handles these requests; move this route before the earlier route',
        {
          related: [{ path: by.path, message: 'the route that handles these requests' }],
        },
      );
    }
    for (const { handler, by } of handlers) {
      if (!isGuard(handler)) continue;
      report(
        handler.path,
        `has no effect: the handler ${by.name} comes first and never calls the next handler; move this handler before ${by.name}`,
        {
          related: [{ path: by.path, message: 'the handler that responds' }],
        },
      );
    }
  },
});
