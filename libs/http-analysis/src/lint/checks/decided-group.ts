/** SL004. */
import { caddyfile, defineLint } from '@sluice/registry';
import { nameOf, reportDead } from '../dead-reports.ts';

export const decidedGroup = defineLint({
  code: 'SL004',
  name: 'decided-group',
  severity: 'warning',
  summary: 'An earlier route of the same group matches whenever this one does.',
  details: `Of the routes of a group only the first that matches is run; the blocks \`handle\` of a Caddyfile are such a group. This one never is
the first. Put the one with the narrower matchers before it.`,
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
        `is never run: ${nameOf(by)} of its group comes first and matches whenever this one does; move this one before it`,
    ),
});
