/** Selection policies, transports and upstream sources of the reverse proxy, in the namespaces `http.reverse_proxy.*`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  registry.add({
    namespace: 'http.reverse_proxy.transport',
    name: 'http',
    load: async () => (await import('./transport/http/index.ts')).httpTransportModule(),
  });
  const selectionPolicies = syntaxesOf(
    [
      'cookie',
      'header',
      'query',
      'random_choose',
      'weighted_round_robin',
      'client_ip_hash',
      'first',
      'ip_hash',
      'least_conn',
      'random',
      'round_robin',
      'uri_hash',
    ],
    async () => (await import('./selection_policies/caddyfile.ts')).policies,
  );
  contributeSyntaxes(registry, 'http.reverse_proxy.selection_policies', selectionPolicies);
  const transports = syntaxesOf(['fastcgi', 'http'], async () => (await import('./transport/caddyfile.ts')).transports);
  contributeSyntaxes(registry, 'http.reverse_proxy.transport', transports);
  const sources = syntaxesOf(['a', 'srv', 'multi'], async () => (await import('./upstreams/caddyfile.ts')).sources);
  contributeSyntaxes(registry, 'http.reverse_proxy.upstreams', sources);
  registry.contribute(references, { name: '@sluice/http.reverse_proxy', load: () => import('./reference.ts') });
}
