/** The syntax of stores in the Caddyfile. */
import { described, moduleSyntaxes, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  { name: 'caddy.storage.file_system', load: async () => (await import('./file_system/caddyfile.ts')).readFileSystem },
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('caddy.storage', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}
