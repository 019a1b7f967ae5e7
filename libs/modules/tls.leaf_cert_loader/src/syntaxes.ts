/** The syntax of loaders of leaf certificates in the Caddyfile. */
import { described, moduleSyntaxes, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  { name: 'tls.leaf_cert_loader.file', load: async () => (await import('./file/caddyfile.ts')).readFile },
  { name: 'tls.leaf_cert_loader.folder', load: async () => (await import('./folder/caddyfile.ts')).readFolder },
  { name: 'tls.leaf_cert_loader.pem', load: async () => (await import('./pem/caddyfile.ts')).readPem },
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('tls.leaf_cert_loader', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}
