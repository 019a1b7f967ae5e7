/** The syntax of sources of addresses in the Caddyfile. */
import { described, moduleSyntaxes, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  { name: 'http.ip_sources.static', load: async () => (await import('./static/caddyfile.ts')).readStatic },
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('http.ip_sources', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}
