/** Authentication providers: namespace `http.authentication.providers`. */
import { contributeHandlers } from '@sluice/caddyfile/contribute';
import { lintChecks, references, type Registry } from '@sluice/registry';
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
  contributeHandlers(registry, {
    name: 'oidc',
    handler: 'authentication',
    described: { namespace: 'http.authentication.providers', name: 'oidc' },
    // If a cache ran before this directive, it would send stored pages to clients without a session.
    order: { before: 'cache' },
    load: async () => (await import('./oidc/caddyfile.ts')).oidc,
  });
  registry.contribute(
    lintChecks,
    { name: 'SL070', load: async () => (await import('./oidc/lint/unreachable-callback.ts')).unreachableCallback },
    { name: 'SL071', load: async () => (await import('./oidc/lint/insecure-sign-in.ts')).insecureSignIn },
    { name: 'SL072', load: async () => (await import('./oidc/lint/cache-before-sign-in.ts')).cacheBeforeSignIn },
  );
  registry.contribute(references, {
    name: '@sluice/http.authentication.providers',
    load: () => import('./reference.ts'),
  });
}
