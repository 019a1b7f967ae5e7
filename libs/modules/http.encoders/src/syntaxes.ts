/** The syntax of encoders in the Caddyfile. */
import { described, moduleSyntaxes, withoutOptions, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  { name: 'http.encoders.gzip', load: async () => (await import('./gzip/caddyfile.ts')).readGzip },
  { name: 'http.encoders.zstd', load: async () => (await import('./zstd/caddyfile.ts')).readZstd },
  withoutOptions('http.encoders.br'),
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('http.encoders', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}
