/** Lint check SL004. */
import { caddyfile, defineLint } from '@sluice/registry';
import { nameOf, reportDead } from '../dead-reports.ts';

export const shadowedInGroup = defineLint({
  code: 'SL004',
  name: 'shadowed-in-group',
  severity: 'warning',
  summary: 'A route is unreachable, because an earlier route of its group matches all of its requests.',
  details: `Only the first matching route in a group runs; the \`handle\` blocks of a Caddyfile form such a group. This route is never the first match. Put the route with the more specific matchers first.`,
  bad: caddyfile(`:8080 {
	route {
		handle /api/* {
			header Server api
		}
		handle /api/users {
			respond "users"
		}
		handle {
			respond "hello"
		}
	}
}
`),
  good: caddyfile(`:8080 {
	route {
		handle /api/users {
			respond "users"
		}
		handle /api/* {
			header Server api
		}
		handle {
			respond "hello"
		}
	}
}
`),
  check: (configuration, report) =>
    reportDead(
      configuration,
      report,
      ({ reason }) => reason === 'group',
      ({ by }) =>
        `unreachable: shadowed by ${nameOf(by)} of the same group, which matches all of its requests; move this route before it`,
    ),
});
