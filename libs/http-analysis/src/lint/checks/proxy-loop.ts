/** Lint check SL042. */
import { isArray, isObject, own } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import type { HandlerModel } from '../model.ts';
import { readerOf } from '../route-facts.ts';
import { serversOf } from '../servers.ts';
import { loopFrom } from '../visit/loops.ts';
import { networkOf, type Network } from '../visit/network.ts';
import { seedsOf } from '../visit/seeds.ts';

export const proxyLoop = defineLint({
  code: 'SL042',
  name: 'proxy-loop',
  severity: 'error',
  summary: 'A proxy sends requests back to itself, directly or through others.',
  details: `Each round opens another connection until none is available, so a single request can take the server down. The upstream must be the application, not an address on which this server listens. To proxy to another site of this server, send requests that match only that site, for example by host (\`header_up Host\`).

The check follows a request only through addresses of this machine, and reports a loop only if every step is certain.`,
  bad: caddyfile(`:8080 {
	reverse_proxy localhost:8080
}
`),
  good: caddyfile(`:8080 {
	reverse_proxy localhost:8081
}
`),
  async check(configuration, report) {
    if (configuration.modulesOf('http.handlers.reverse_proxy').length === 0) return;
    const servers = await serversOf(configuration);
    const network = await networkOf(configuration);
    const seeds = servers.flatMap((server) =>
      seedsOf(server, (handler) => localTarget(handler, network) !== null).map((seed) => ({ server, ...seed })),
    );
    if (seeds.length === 0) return;
    const { matchers } = await readerOf(configuration.registry);
    const reported = new Set<HandlerModel>();
    for (const { server, handler, hosts, paths } of seeds) {
      if (reported.has(handler)) continue;
      for (const door of network.doorsOf(server)) {
        const host = hosts[0] ?? 'any-host.invalid';
        const start = { ...door, host, path: paths[0] ?? '/', query: '', method: 'GET' };
        const loop = loopFrom(start, server, matchers, (outcome) => {
          const target = outcome.kind === 'proxy' ? localTarget(outcome.handler, network) : null;
          if (outcome.kind !== 'proxy' || target === null) return null;
          const visit = { ...outcome.visit, scheme: 'http', port: target.port } as const;
          return { handler: outcome.handler, visit, server: target.server };
        });
        if (loop === null || loop.handlers.some((each) => reported.has(each))) continue;
        for (const each of loop.handlers) reported.add(each);
        const [first, ...others] = loop.handlers;
        if (first === undefined) continue;
        const what = others.length > 0 ? `in a loop of ${loop.handlers.length} proxies` : 'back to itself';
        const growth = loop.grows ? ', with a longer path each time' : '';
        report(
          [...first.path, 'upstreams', '0', 'dial'],
          `sends requests ${what}${growth}, until no connection is available: use the address of the application`,
          { related: others.map((each) => ({ path: each.path, message: 'a proxy in the loop' })) },
        );
      }
    }
  },
});

/** Returns the server in this configuration that receives all requests of a proxy over plain HTTP. */
function localTarget({ name, node }: HandlerModel, network: Network): ReturnType<Network['serverAt']> {
  if (name !== 'reverse_proxy') return null;
  const [upstreams, transport] = [own(node, 'upstreams'), own(node, 'transport')];
  const isPlain =
    !isObject(transport) || (own(transport, 'protocol') === 'http' && own(transport, 'tls') === undefined);
  const [only] = isArray(upstreams) ? upstreams : [];
  const dial = isObject(only) ? own(only, 'dial') : undefined;
  if (!isPlain || !isArray(upstreams) || upstreams.length !== 1 || typeof dial !== 'string') return null;
  return own(node, 'dynamic_upstreams') === undefined ? network.serverAt(dial) : null;
}
