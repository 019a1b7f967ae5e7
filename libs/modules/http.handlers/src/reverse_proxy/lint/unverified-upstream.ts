/** SL024. */
import { isObject, own } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import { proxiesIn } from './proxies.ts';

export const unverifiedUpstream = defineLint({
  code: 'SL024',
  name: 'unverified-upstream',
  severity: 'warning',
  summary: 'The certificate of an upstream is not verified.',
  details: `Whoever stands between the server and the upstream can then read and change everything, as without TLS. Name the authority that has issued the
certificate of the upstream (\`tls_trust_pool\`), and the name that it is for (\`tls_server_name\`).`,
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
    for (const { node, path } of proxiesIn(configuration)) {
      const transport = own(node, 'transport');
      const tls = isObject(transport) ? own(transport, 'tls') : undefined;
      if (isObject(tls) && own(tls, 'insecure_skip_verify') === true)
        report(
          [...path, 'transport', 'tls', 'insecure_skip_verify'],
          'takes any certificate, so that anyone on the way can be the upstream: name the authority to trust',
        );
    }
  },
});
