/** The syntax of verifiers in the Caddyfile. */
import { described, moduleSyntaxes, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  { name: 'tls.client_auth.verifier.leaf', load: async () => (await import('./leaf/caddyfile.ts')).readLeaf },
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described(
      'tls.client_auth.verifier',
      contributions,
      async () => (await import('./descriptions.ts')).descriptions,
    ),
  );
}
