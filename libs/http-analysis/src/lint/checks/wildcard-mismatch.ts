/** Lint check SL009. */
import { caddyfile, defineLint } from '@sluice/registry';
import { reportDead } from '../dead-reports.ts';
import { hostsOf, missesWildcard } from '../wildcard-hosts.ts';

export const wildcardMismatch = defineLint({
  code: 'SL009',
  name: 'wildcard-mismatch',
  severity: 'warning',
  summary: 'A host is nested in a wildcard that does not match it.',
  details: `An asterisk matches exactly one label: \`*.example.com\` matches \`a.example.com\`, but neither \`example.com\` nor \`a.b.example.com\`. A route for \`example.com\` or \`a.b.example.com\` is unreachable inside the wildcard. List the host in addition to the wildcard, or give the host a separate site.`,
  bad: caddyfile(`http://*.example.com {
	@apex host example.com
	respond @apex "the front page"
	respond "a customer"
}
`),
  good: caddyfile(`http://*.example.com {
	@shop host shop.example.com
	respond @shop "the shop"
	respond "a customer"
}
`),
  check: (configuration, report) =>
    reportDead(
      configuration,
      report,
      (dead) => dead.reason === 'contradiction' && missesWildcard(dead),
      ({ route, by }) =>
        `unreachable: ${hostsOf(by).join(', ')} does not match ${hostsOf(route).join(', ')}, because an asterisk matches a single label; list the host in addition to the wildcard`,
    ),
});
