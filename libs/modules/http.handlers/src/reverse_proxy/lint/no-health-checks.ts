/** Lint check SL030. */
import { isArray, isObject, own, type JsonObject } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';

export const noHealthChecks = defineLint({
  code: 'SL030',
  name: 'no-health-checks',
  severity: 'note',
  summary: 'There are several upstreams, but no health checks and no retries.',
  details: `Without health checks, an unavailable upstream still receives its share of requests, which then fail. \`health_uri\` enables active health checks,
\`fail_duration\` enables passive ones, and \`lb_try_duration\` or \`lb_retries\` enable retries on another upstream.`,
  bad: caddyfile(`:8080 {
	reverse_proxy 127.0.0.1:9001 127.0.0.1:9002
}
`),
  good: caddyfile(`:8080 {
	reverse_proxy 127.0.0.1:9001 127.0.0.1:9002 {
		fail_duration 30s
	}
}
`),
  check(configuration, report) {
    const proxies = configuration.modulesOf('http.handlers.reverse_proxy');
    // If other proxies have health checks, this proxy probably omits them intentionally.
    if (proxies.some(({ node }) => isObject(node) && isWatched(node))) return;
    for (const { node, path } of proxies) {
      const upstreams = isObject(node) ? own(node, 'upstreams') : undefined;
      if (!isArray(upstreams) || upstreams.length < 2) continue;
      report(
        path,
        `has ${upstreams.length} upstreams and no health checks, so requests fail while one is unavailable: add health_uri or fail_duration`,
      );
    }
  },
});

function isWatched(proxy: JsonObject): boolean {
  const balancing = own(proxy, 'load_balancing');
  const tries = isObject(balancing) && [own(balancing, 'retries'), own(balancing, 'try_duration')].some(Boolean);
  const checks = own(proxy, 'health_checks');
  return tries || Boolean(own(proxy, 'circuit_breaker')) || (isObject(checks) && Object.keys(checks).length > 0);
}
