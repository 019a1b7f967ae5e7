/** Parts of the reverse proxy: namespaces `http.reverse_proxy.*`. */
import { references, type Registry } from '@sluice/registry';
import { registerInverses } from './inverses.ts';
import { modules } from './module-index.ts';
import { registerSyntaxes } from './syntaxes.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(...modules);
  registry.add({
    namespace: 'http.reverse_proxy.transport',
    name: 'http',
    load: async () => (await import('./transport/http/index.ts')).httpTransportModule(),
  });
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/http.reverse_proxy',
    load: async () => (await import('./reference.ts')).reference,
  });
}
