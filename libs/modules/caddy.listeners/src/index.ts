/** Listener wrappers: namespace `caddy.listeners`. */
import { references, type Registry } from '@sluice/registry';
import { httpRedirectModule } from './http_redirect/index.ts';
import { proxyProtocolModule } from './proxy_protocol/index.ts';
import { tlsModule } from './tls/index.ts';
import { registerInverses } from './inverses.ts';
import { registerSyntaxes } from './syntaxes.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(httpRedirectModule);
  registry.add(proxyProtocolModule);
  registry.add(tlsModule);
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/caddy.listeners',
    load: async () => (await import('./reference.ts')).reference,
  });
}
