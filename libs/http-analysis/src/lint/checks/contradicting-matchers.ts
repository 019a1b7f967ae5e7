/** Lint check SL005. */
import { caddyfile, defineLint } from '@sluice/registry';
import { nameOf, reportDead } from '../dead-reports.ts';
import { everyRoute } from '../every-route.ts';
import { serversOf } from '../servers.ts';
import { missesWildcard } from '../wildcard-hosts.ts';

export const contradictingMatchers = defineLint({
  code: 'SL005',
  name: 'contradicting-matchers',
  severity: 'warning',
  summary: 'The matchers of a route contradict each other, or those of an enclosing route.',
  details: `A route only receives requests that all enclosing routes have matched. If an enclosing route matches a different host, method or path, the route is unreachable. The same applies to a matcher set in which one matcher excludes another, such as a path together with \`not\` of that path.`,
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
  async check(configuration, report) {
    await reportDead(
      configuration,
      report,
      (dead) => dead.reason === 'contradiction' && !missesWildcard(dead),
      ({ by }) =>
        `unreachable: its matchers contradict those of the enclosing ${nameOf(by)}; correct the matchers, or move this route to another place`,
    );
    for (const server of await serversOf(configuration)) {
      for (const route of everyRoute(server)) {
        if (!route.sets.some((set) => set.contradictsItself)) continue;
        for (const [index, set] of route.sets.entries())
          if (set.contradictsItself)
            report(
              [...route.path, 'match', String(index)],
              'never matches: its matchers exclude each other; correct them, or split the set into two alternatives',
            );
      }
    }
  },
});
