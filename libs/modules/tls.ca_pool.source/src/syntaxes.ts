/** The syntax of pools of authorities in the Caddyfile. */
import { described, moduleSyntaxes, withoutOptions, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  { name: 'tls.ca_pool.source.inline', load: async () => (await import('./inline/caddyfile.ts')).readInline },
  { name: 'tls.ca_pool.source.file', load: async () => (await import('./file/caddyfile.ts')).readFile },
  { name: 'tls.ca_pool.source.pki_root', load: async () => (await import('./pki_root/caddyfile.ts')).readPkiRoot },
  {
    name: 'tls.ca_pool.source.pki_intermediate',
    load: async () => (await import('./pki_intermediate/caddyfile.ts')).readPkiIntermediate,
  },
  { name: 'tls.ca_pool.source.storage', load: async () => (await import('./storage/caddyfile.ts')).readStorage },
  { name: 'tls.ca_pool.source.http', load: async () => (await import('./http/caddyfile.ts')).readHttp },
  { name: 'tls.ca_pool.source.combined', load: async () => (await import('./combined/caddyfile.ts')).readCombined },
  withoutOptions('tls.ca_pool.source.system'),
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('tls.ca_pool.source', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}
