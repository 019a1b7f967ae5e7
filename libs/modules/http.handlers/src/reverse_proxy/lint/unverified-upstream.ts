/** Lint check SL024. */
import { isObject, own } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import { proxiesIn } from './proxies.ts';

export const unverifiedUpstream = defineLint({
  code: 'SL024',
  name: 'unverified-upstream',
  severity: 'warning',
  summary: 'The certificate of an upstream is not verified.',
  details: `If the certificate is not verified, anyone between the server and the upstream can read and modify the traffic, despite TLS. Set the CA that issued the certificate (\`tls_trust_pool\`) and the name in it (\`tls_server_name\`).`,
  bad: caddyfile(`:8080 {
	reverse_proxy https://10.0.0.5 {
		transport http {
			tls_insecure_skip_verify
		}
	}
}
`),
  good: caddyfile(`:8080 {
	reverse_proxy https://10.0.0.5 {
		transport http {
			tls_server_name backend.internal
		}
	}
}
`),
  check(configuration, report) {
    for (const proxy of proxiesIn(configuration)) {
      const { node } = proxy;
      const transport = own(node, 'transport');
      const tls = isObject(transport) ? own(transport, 'tls') : undefined;
      if (isObject(tls) && own(tls, 'insecure_skip_verify') === true)
        report(
          [...proxy.path, 'transport', 'tls', 'insecure_skip_verify'],
          'accepts any certificate, so anyone on the network path can impersonate the upstream: set the CA to trust',
        );
    }
  },
});
