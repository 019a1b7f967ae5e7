/** SL002. */
import { caddyfile, defineLint } from '@sluice/registry';
import { haveSameMatchers, nameOf, reportDead } from '../dead-reports.ts';

export const shadowedRoute = defineLint({
  code: 'SL002',
  name: 'shadowed-route',
  severity: 'warning',
  summary: 'An earlier route handles all requests that this one matches.',
  details: `Routes are asked in order, and the one before matches more. If it responds, or is \`terminal\`, this one is never run. Put the
one with the narrower matchers first.`,
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
      ({ by }) => `is never run: ${nameOf(by)} before it takes all that it matches; move this one before it`,
    ),
});
