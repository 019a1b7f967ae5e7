/** Authentication providers: namespace `http.authentication.providers`. */
import { contributeHandlers } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  contributeHandlers(registry, {
    name: 'jwtauth',
    handler: 'authentication',
    described: { namespace: 'http.authentication.providers', name: 'jwt' },
    order: { before: 'forward_auth' },
    load: async () => (await import('./jwt/caddyfile.ts')).jwtauth,
  });
  registry.contribute(references, {
    name: '@sluice/http.authentication.providers',
    load: () => import('./reference.ts'),
  });
}
