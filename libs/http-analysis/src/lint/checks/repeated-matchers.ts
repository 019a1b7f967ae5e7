/** Lint check SL003. */
import { defineLint, nativeJson } from '@sluice/registry';
import { haveSameMatchers, nameOf, reportDead } from '../dead-reports.ts';

const server = (second: string): object => ({
  apps: {
    http: {
      servers: {
        web: {
          listen: [':8080'],
          routes: [
            { match: [{ path: ['/status'] }], handle: [{ handler: 'static_response', body: 'well' }] },
            { match: [{ path: [second] }], handle: [{ handler: 'static_response', body: 'very well' }] },
          ],
        },
      },
    },
  },
});

export const repeatedMatchers = defineLint({
  code: 'SL003',
  name: 'repeated-matchers',
  severity: 'warning',
  summary: 'Two routes in the same list have the same matchers, so the second one is unreachable.',
  details: `The first route responds, so the second one never runs. Usually, a route was copied without changing its matchers. Change the matchers, merge the handlers of both into one route, or remove one route.`,
  bad: nativeJson(server('/status')),
  good: nativeJson(server('/health')),
  check: (configuration, report) =>
    reportDead(
      configuration,
      report,
      ({ reason, route, by }) => reason === 'shadowed' && haveSameMatchers(route.node, by.node),
      ({ by }) => `unreachable: ${nameOf(by)} has the same matchers and comes first; change or remove one of them`,
    ),
});
