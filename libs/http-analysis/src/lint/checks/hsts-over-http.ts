/** Lint check SL048. */
import { isObject, own } from '@sluice/base';
import { caddyfile, defineLint, finder } from '@sluice/registry';
import { httpPortOf, isLocal, isPlain, portsOf } from '../addresses.ts';
import { everyRoute } from '../every-route.ts';
import type { HandlerModel } from '../model.ts';
import { serversOf } from '../servers.ts';

export const hstsOverHttp = defineLint({
  code: 'SL048',
  name: 'hsts-over-http',
  severity: 'warning',
  summary: 'Strict-Transport-Security is sent over plain HTTP, where clients ignore it.',
  details: `Clients ignore the field on connections without TLS, because anyone on the network path could have added it (RFC 6797 §8.1). Set the field in the HTTPS site, and redirect HTTP requests to that site. If a proxy in front of the server terminates TLS, add the proxy to \`trusted_proxies\`: the check then assumes HTTPS. If no site in the configuration uses TLS, there may be such a proxy, so the finding is only informational.`,
  bad: caddyfile(`http://example.com {
	header Strict-Transport-Security "max-age=31536000"
	respond "hello"
}
`),
  good: caddyfile(`example.com {
	header Strict-Transport-Security "max-age=31536000"
	respond "hello"
}
`),
  async check(configuration, report) {
    const { document } = configuration;
    const servers = await serversOf(configuration);
    for (const server of servers) {
      const ports = portsOf(server);
      // A server on another port may be behind a TLS-terminating proxy. If the configuration reads headers that such proxies set, the
      // server certainly is behind one.
      if (ports === null || ports.some((port) => port !== httpPortOf(document)) || isLocal(server)) continue;
      if (own(server.node, 'trusted_proxies') !== undefined || !isPlain(server, document)) continue;
      const found = everyRoute(server).flatMap(({ handlers }) => handlers.flatMap(hstsIn));
      if (found.length === 0 || knowsProxy(server.node)) continue;
      // If the configuration uses no TLS, the server may be behind a TLS-terminating proxy.
      const severity = servers.some((each) => !isPlain(each, document)) ? 'warning' : 'note';
      for (const { path, field } of found)
        report(
          [...path, field],
          'clients ignore this field over plain HTTP: set it in the HTTPS site, or add the TLS proxy to trusted_proxies',
          { severity },
        );
    }
  },
});

const knowsProxy = finder(
  (node) =>
    (typeof node === 'string' && /x-forwarded|forwarded\.proto|client_ip/i.test(node)) ||
    (isObject(node) && Object.keys(node).some((key) => /^(?:x-forwarded|client_ip|cf-|true-client)/i.test(key))),
);

/** Returns the paths of the `Strict-Transport-Security` header in a handler. Ignores deletions and `max-age=0`. */
function hstsIn({ name, node, path }: HandlerModel): { readonly path: readonly string[]; readonly field: string }[] {
  const at = name === 'headers' ? ['response', 'set'] : name === 'static_response' ? ['headers'] : null;
  if (at === null) return [];
  let fields = node[at[0] ?? ''];
  for (const key of at.slice(1)) fields = isObject(fields) ? own(fields, key) : undefined;
  const names = isObject(fields) ? Object.keys(fields) : [];
  return names
    .filter((each) => each.toLowerCase() === 'strict-transport-security')
    .map((field) => ({ path: [...path, ...at], field }));
}
