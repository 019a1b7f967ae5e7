/** SL026. */
import { isObject, own } from '@sluice/base';
import { caddyfile, defineLint, textsIn } from '@sluice/registry';

export const wideTrust = defineLint({
  code: 'SL026',
  name: 'wide-trust',
  severity: 'warning',
  summary: 'Trusted proxies include large parts of the Internet.',
  details: `What a trusted proxy says of its client is believed: its address, scheme and host. If anyone is trusted, anyone can claim any address, and
rules and logs that go by it are worth nothing. Name the ranges of your proxies; \`private_ranges\` are those of internal networks.`,
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
          report(at, `${text} trusts large parts of the Internet to say who its clients are: name your proxies alone`);
    }
  },
});

function placed<T extends { readonly node: unknown; readonly path: readonly string[] }>({
  node,
  path,
}: T): Pick<T, 'node' | 'path'> {
  return { node, path };
}

/** Wider than any network of one's own: 10.0.0.0/8 and fc00::/7 are the largest of those. */
function isWide(range: string): boolean {
  const [, address = '', bits = ''] = /^([\da-f.:]+)\/(\d+)$/i.exec(range) ?? [];
  if (bits === '') return false;
  return address.includes(':') ? Number(bits) < 16 && !/^f[cd]/i.test(address) : Number(bits) < 8;
}
