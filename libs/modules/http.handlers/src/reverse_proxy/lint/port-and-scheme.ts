/** Lint check SL025. */
import { isObject, own } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import { dialsOf, proxiesIn } from './proxies.ts';

export const portAndScheme = defineLint({
  code: 'SL025',
  name: 'port-and-scheme',
  severity: 'warning',
  summary: 'Plain HTTP is sent to port 443 of an upstream, or TLS to port 80.',
  details: `The upstream responds with status code 400, or does not respond. In a Caddyfile, \`https://\` before the name enables TLS.`,
  bad: caddyfile(`:8080 {
	reverse_proxy backend.example.com:443
}
`),
  good: caddyfile(`:8080 {
	reverse_proxy https://backend.example.com
}
`),
  check(configuration, report) {
    for (const proxy of proxiesIn(configuration)) {
      const transport = own(proxy.node, 'transport');
      const speaks = isObject(transport) ? (own(transport, 'protocol') ?? 'http') : 'http';
      if (speaks !== 'http') continue;
      const isSecure = isObject(transport) && isObject(own(transport, 'tls'));
      for (const { dial, at } of dialsOf(proxy)) {
        if (!isSecure && dial.endsWith(':443'))
          report(at(), 'receives plain HTTP on the HTTPS port: enable "tls" in the transport, or use a different port');
        if (isSecure && dial.endsWith(':80'))
          report(at(), 'receives TLS on the plain HTTP port: remove "tls" from the transport, or use a different port');
      }
    }
  },
});
