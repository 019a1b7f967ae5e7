/** Lint check SL002. */
import { caddyfile, defineLint } from '@sluice/registry';
import { haveSameMatchers, nameOf, reportDead } from '../dead-reports.ts';

export const shadowedRoute = defineLint({
  code: 'SL002',
  name: 'shadowed-route',
  severity: 'warning',
  summary: 'A route is unreachable, because an earlier route matches all of its requests.',
  details: `Routes run in order. An earlier route matches all of this route's requests, and responds or is \`terminal\`, so it shadows this route. Put the route with the more specific matchers first.`,
  bad: caddyfile(`:8080 {
	route {
		respond /api/* "the API"
		respond /api/users "users"
	}
}
`),
  good: caddyfile(`:8080 {
	route {
		respond /api/users "users"
		respond /api/* "the API"
	}
}
`),
  check: (configuration, report) =>
    reportDead(
      configuration,
      report,
      ({ reason, route, by }) => reason === 'shadowed' && !haveSameMatchers(route.node, by.node),
      ({ by }) =>
        `unreachable: shadowed by ${nameOf(by)}, which matches all of its requests; move this route before it`,
    ),
});
