/** How loaders of certificates of clients are written in a Caddyfile again. */
import { moduleInverses, type ModuleInverse } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleInverse[] = [
  { name: 'tls.leaf_cert_loader.file', load: async () => (await import('@sluice/caddyfile')).wordsOf('files') },
  { name: 'tls.leaf_cert_loader.pem', load: async () => (await import('@sluice/caddyfile')).wordsOf('certificates') },
  { name: 'tls.leaf_cert_loader.folder', load: async () => (await import('@sluice/caddyfile')).wordsOf('folders') },
];

/** Adds the inverses. */
export function registerInverses(registry: Registry): void {
  registry.contribute(moduleInverses, ...contributions);
}
