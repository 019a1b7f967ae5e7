/** The syntax of network proxies in the Caddyfile. */
import { described, moduleSyntaxes, withoutOptions, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  { name: 'caddy.network_proxy.url', load: async () => (await import('./url/caddyfile.ts')).readUrl },
  withoutOptions('caddy.network_proxy.none'),
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('caddy.network_proxy', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}
