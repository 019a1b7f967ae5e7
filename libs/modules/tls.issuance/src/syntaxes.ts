/** The syntax of issuers in the Caddyfile. */
import { described, moduleSyntaxes, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  { name: 'tls.issuance.acme', load: async () => (await import('./acme/caddyfile.ts')).readAcme },
  { name: 'tls.issuance.internal', load: async () => (await import('./internal/caddyfile.ts')).readInternal },
  { name: 'tls.issuance.zerossl', load: async () => (await import('./zerossl/caddyfile.ts')).readZeroSsl },
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('tls.issuance', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}
