/** How pools of authorities are written in a Caddyfile again. */
import { moduleInverses, type ModuleInverse } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleInverse[] = [
  { name: 'tls.ca_pool.source.file', load: async () => (await import('@sluice/caddyfile')).wordsOf('pem_files') },
  { name: 'tls.ca_pool.source.pki_root', load: async () => (await import('@sluice/caddyfile')).wordsOf('authority') },
  {
    name: 'tls.ca_pool.source.pki_intermediate',
    load: async () => (await import('@sluice/caddyfile')).wordsOf('authority'),
  },
  { name: 'tls.ca_pool.source.inline', load: async () => (await import('./inline/inverse.ts')).writeInline },
  { name: 'tls.ca_pool.source.combined', load: async () => (await import('./combined/inverse.ts')).writeCombined },
  { name: 'tls.ca_pool.source.http', load: async () => (await import('./http/inverse.ts')).writeHttp },
  { name: 'tls.ca_pool.source.storage', load: async () => (await import('./storage/inverse.ts')).writeStorage },
];

/** Adds the inverses. */
export function registerInverses(registry: Registry): void {
  registry.contribute(moduleInverses, ...contributions);
}
