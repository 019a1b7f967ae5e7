/** Lint check SL010. */
import { isArray, isObject, own, type JsonObject } from '@sluice/base';
import { caddyfile, defineLint, onceForNode } from '@sluice/registry';
import { isPlain } from '../addresses.ts';
import { everyRoute } from '../every-route.ts';
import { serversOf } from '../servers.ts';

export const unservedScheme = defineLint({
  code: 'SL010',
  name: 'unserved-scheme',
  severity: 'warning',
  summary: "A matcher never matches this server's scheme, or contains a host with a port.",
  details: `A plain HTTP server never receives \`protocol https\` requests, and a TLS server never receives \`protocol http\` requests. Hosts are compared without the port, so \`example.com:8080\` never matches; the port belongs in the server's address.`,
  bad: caddyfile(`http://example.com {
	@secure protocol https
	respond @secure "safe"
	respond "not safe"
}
`),
  good: caddyfile(`http://example.com {
	@plain protocol http
	respond @plain "not safe"
	respond "safe"
}
`),
  async check(configuration, report) {
    for (const server of await serversOf(configuration)) {
      const policies = own(server.node, 'tls_connection_policies');
      const never = isPlain(server, configuration.document)
        ? 'https'
        : isArray(policies) && policies.length > 0
          ? 'http'
          : '';
      for (const route of everyRoute(server)) {
        const match = own(route.node, 'match');
        for (const [index, set] of (isArray(match) ? match : []).entries()) {
          if (!isObject(set)) continue;
          const protocol = own(set, 'protocol');
          if (protocol === never)
            report(
              [...route.path, 'match', String(index), 'protocol'],
              `never matches: this server does not serve ${String(protocol)}; remove the matcher, or add a listener for this protocol`,
            );
          for (const [number, host] of hostsWithPort(set))
            report(
              [...route.path, 'match', String(index), 'host', String(number)],
              `never matches, because hosts are compared without the port: remove ${host.replace(/^[^:]*/, '')}`,
            );
        }
      }
    }
  },
});

const hostsWithPort = onceForNode((set: JsonObject): readonly (readonly [number, string])[] => {
  const hosts = own(set, 'host');
  return (isArray(hosts) ? [...hosts.entries()] : []).filter(
    (entry): entry is [number, string] => typeof entry[1] === 'string' && /^[^:{[]+:\d+$/.test(entry[1]),
  );
});
