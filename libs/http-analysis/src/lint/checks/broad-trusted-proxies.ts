/** Lint check SL026. */
import { isObject, own } from '@sluice/base';
import { caddyfile, defineLint, textsIn } from '@sluice/registry';

export const broadTrustedProxies = defineLint({
  code: 'SL026',
  name: 'broad-trusted-proxies',
  severity: 'warning',
  summary: 'Trusted proxies include large parts of the Internet.',
  details: `The server accepts the client address, scheme and host that a trusted proxy sends. If everyone is trusted, anyone can forge an address, and
access rules and logs that depend on this address can no longer be trusted. List only the ranges of your proxies; \`private_ranges\` expands to internal networks.`,
  bad: caddyfile(`{
	servers {
		trusted_proxies static 0.0.0.0/0
	}
}
:8080 {
	respond {client_ip}
}
`),
  good: caddyfile(`{
	servers {
		trusted_proxies static 10.0.0.0/8
	}
}
:8080 {
	respond {client_ip}
}
`),
  check(configuration, report) {
    const trusting = [
      ...configuration.modulesOf('http.ip_sources.static').map((module) => ({ ...placed(module), key: 'ranges' })),
      ...configuration
        .modulesOf('http.handlers.reverse_proxy')
        .map((module) => ({ ...placed(module), key: 'trusted_proxies' })),
    ];
    for (const { node, path, key } of trusting) {
      const ranges = isObject(node) ? own(node, key) : undefined;
      for (const { text, path: at } of textsIn(ranges, [...path, key]))
        if (isWide(text))
          report(
            at,
            `${text} lets large parts of the Internet forge client addresses: list only the ranges of your proxies`,
          );
    }
  },
});

function placed<T extends { readonly node: unknown; readonly path: readonly string[] }>({
  node,
  path,
}: T): Pick<T, 'node' | 'path'> {
  return { node, path };
}

/** Reports whether an IP range is larger than every private network. The largest private networks are 10.0.0.0/8 and fc00::/7. */
function isWide(range: string): boolean {
  const [, address = '', bits = ''] = /^([\da-f.:]+)\/(\d+)$/i.exec(range) ?? [];
  if (bits === '') return false;
  return address.includes(':') ? Number(bits) < 16 && !/^f[cd]/i.test(address) : Number(bits) < 8;
}
