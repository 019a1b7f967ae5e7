/** SL030. */
import { isArray, isObject, own, type JsonObject } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';

export const noHealth = defineLint({
  code: 'SL030',
  name: 'nothing-marks-down',
  severity: 'warning',
  summary: 'Several upstreams have no health checks, so failing ones keep receiving requests.',
  details: `Without health checks an upstream that is down gets its share of the requests, which then fail. \`health_uri\` asks upstreams regularly,
\`fail_duration\` remembers failed requests, and \`lb_try_duration\` or \`lb_retries\` try another upstream.`,
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
    // Who has checks at another place knows them, and has left them out here.
    if (proxies.some(({ node }) => isObject(node) && isWatched(node))) return;
    for (const { node, path } of proxies) {
      const upstreams = isObject(node) ? own(node, 'upstreams') : undefined;
      if (!isArray(upstreams) || upstreams.length < 2) continue;
      report(
        path,
        `has ${upstreams.length} upstreams and nothing takes one out that is down, so that its share of the requests fails: add a health check, or fail_duration`,
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
