/** The syntax of listener wrappers in the Caddyfile. */
import { described, moduleSyntaxes, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  {
    name: 'caddy.listeners.proxy_protocol',
    load: async () => (await import('./proxy_protocol/caddyfile.ts')).readProxyProtocol,
  },
  {
    name: 'caddy.listeners.http_redirect',
    load: async () => (await import('./http_redirect/caddyfile.ts')).readHttpRedirect,
  },
  {
    name: 'caddy.listeners.tls',
    load: async () => (await import('./http_redirect/caddyfile.ts')).readHttpRedirect,
  },
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('caddy.listeners', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}
