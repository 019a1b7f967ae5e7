/** SL009. */
import { caddyfile, defineLint } from '@sluice/registry';
import { reportDead } from '../dead-reports.ts';
import { hostsOf, missesWildcard } from '../wildcard-hosts.ts';

export const missedByWildcard = defineLint({
  code: 'SL009',
  name: 'missed-by-wildcard',
  severity: 'warning',
  summary: 'A host matcher in a wildcard site names a host that the wildcard does not cover.',
  details: `A star stands for one label: \`*.example.com\` holds \`a.example.com\`, and neither \`example.com\` nor \`a.b.example.com\`. A route for
one of these within the wildcard is never run. Name the host beside the wildcard, or give it a site of its own.`,
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
        `is never run: ${hostsOf(by).join(', ')} does not hold ${hostsOf(route).join(', ')}, as a star stands for one label; name the host beside it`,
    ),
});
