/** Lint check SL056. */
import { caddyfile, defineLint } from '@sluice/registry';
import { responseOperationsOn } from '../fields/header-operations.ts';
import type { ServerModel } from '../model.ts';
import { serversOf } from '../servers.ts';
import { everyRoute } from '../every-route.ts';
import { hostsOf } from '../wildcard-hosts.ts';

export const malformedRedirect = defineLint({
  code: 'SL056',
  name: 'malformed-redirect',
  severity: 'error',
  summary: 'A redirect target has no scheme, or a malformed one.',
  details: `A target without a scheme is relative to the path of the request: \`www.example.com\` leads from \`https://example.com/\` to \`https://example.com/www.example.com\`. Start the address of another host with \`https://\`.`,
  bad: caddyfile(`:8080 {
	redir /shop www.example.com/shop
	respond "hello"
}
`),
  good: caddyfile(`:8080 {
	redir /shop https://www.example.com/shop
	respond "hello"
}
`),
  async check(configuration, report) {
    const locations = responseOperationsOn(configuration, 'location');
    if (locations.length === 0) return;
    const servers = await serversOf(configuration);
    let known: ReadonlySet<string> | null = null;
    const hosts = (): ReadonlySet<string> => (known ??= hostsIn(servers));
    for (const { values, path } of locations) {
      for (const [index, value] of values.entries()) {
        const problem = problemOf(value, hosts);
        if (problem !== null) report([...path, String(index)], problem);
      }
    }
  },
});

function hostsIn(servers: readonly ServerModel[]): ReadonlySet<string> {
  return new Set(servers.flatMap((server) => everyRoute(server).flatMap(hostsOf)));
}

/** Matches top-level domains that are not common file extensions. */
const domain = /\.(?:com|net|org|edu|gov|io|dev|de|uk|fr|nl|eu|ch|at|cloud)$/i;

function problemOf(value: string, hosts: () => ReadonlySet<string>): string | null {
  if (/^(?:\/(?!\/)|[{.?#]|https?:\/\/[\w*.[-])/.test(value) && !/^https?:\/\/\//.test(value)) return null;
  const [, rest = ''] =
    /^(?:https?|htt?ps?|hhtps?|httpss|htps?)(?::\/(?!\/)|:(?!\/)|\/\/|:\/\/\/+)(.*)$/i.exec(value) ?? [];
  if (rest !== '' && !/^https?:\/\/[^/]/i.test(value))
    return `has a malformed scheme: write https://${rest.replace(/^\/+/, '')}`;
  if (/^(?:htps?|hhtps?|httpss|htttps?|ttps?):\/\//i.test(value))
    return `has a misspelled scheme: write ${value.replace(/^[^:]*/, 'https')}`;
  const [, host = ''] = /^([a-z\d-]+(?:\.[a-z\d-]+)+)(?::\d+)?(?:[/?#{]|$)/i.exec(value) ?? [];
  if (host === '' || !(host.toLowerCase().startsWith('www.') || hosts().has(host.toLowerCase()) || domain.test(host)))
    return null;
  return `is relative to the request path, because it has no scheme: write https://${value}`;
}
