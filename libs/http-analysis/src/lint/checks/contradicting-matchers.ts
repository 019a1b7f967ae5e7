/** SL005. */
import { caddyfile, defineLint } from '@sluice/registry';
import { nameOf, reportDead } from '../dead-reports.ts';
import { missesWildcard } from '../wildcard-hosts.ts';

export const contradictingMatchers = defineLint({
  code: 'SL005',
  name: 'contradicting-matchers',
  severity: 'warning',
  summary: 'The matchers of a route contradict those of the enclosing routes.',
  details: `Only requests that the routes around it have matched get to a route. If these let in another host, another method or another folder
than the route matches itself, it is never run.`,
  bad: caddyfile(`http://a.example.com {
	@b host b.example.com
	respond @b "hello"
	respond "anything else"
}
`),
  good: caddyfile(`http://a.example.com, http://b.example.com {
	@b host b.example.com
	respond @b "hello"
	respond "anything else"
}
`),
  check: (configuration, report) =>
    reportDead(
      configuration,
      report,
      (dead) => dead.reason === 'contradiction' && !missesWildcard(dead),
      ({ by }) =>
        `is never run: ${nameOf(by)} around it lets in nothing that it matches; correct its matchers, or move it out`,
    ),
});
