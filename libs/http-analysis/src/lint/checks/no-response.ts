/** Lint check SL013. */
import { caddyfile, defineLint } from '@sluice/registry';
import { everyRoute } from '../every-route.ts';
import type { RouteModel } from '../model.ts';
import { serversOf } from '../servers.ts';
import { hostsOf } from '../wildcard-hosts.ts';

export const noResponse = defineLint({
  code: 'SL013',
  name: 'no-response',
  severity: 'warning',
  summary: 'No handler responds for a host, so clients get an empty response with status code 200.',
  details: `If no handler responds, the response is empty and has status code 200, which looks healthy to monitoring and search engines. Usually, \`file_server\` is missing after \`root\`, or \`reverse_proxy\` is missing.`,
  bad: caddyfile(`http://example.com {
	root /srv/www
	encode gzip
}
`),
  good: caddyfile(`http://example.com {
	root /srv/www
	encode gzip
	file_server
}
`),
  async check(configuration, report) {
    for (const server of await serversOf(configuration)) {
      for (const route of everyRoute(server)) {
        if (!route.terminal || route.handlers.length === 0 || mayRespond(route)) continue;
        const hosts = hostsOf(route);
        if (hosts.length === 0) continue;
        report(
          route.path,
          `no handler responds, so ${hosts.join(', ')} gets empty responses with status 200: add a handler that responds, such as file_server`,
        );
      }
    }
  },
});

function mayRespond({ handlers }: RouteModel): boolean {
  return handlers.some(
    ({ flow, lists }) =>
      flow.responds !== false || flow.passes === 'never' || lists.some(({ routes }) => routes.some(mayRespond)),
  );
}
