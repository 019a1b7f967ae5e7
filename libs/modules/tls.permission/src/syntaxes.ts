/** The syntax of permissions in the Caddyfile. */
import { described, moduleSyntaxes, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  { name: 'tls.permission.http', load: async () => (await import('./http/caddyfile.ts')).readHttp },
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('tls.permission', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}
