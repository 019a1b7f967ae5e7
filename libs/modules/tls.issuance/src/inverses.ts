/** How issuers are written in a Caddyfile again. */
import { moduleInverses, type ModuleInverse } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleInverse[] = [
  { name: 'tls.issuance.acme', load: async () => (await import('./acme/inverse.ts')).writeAcme },
  { name: 'tls.issuance.internal', load: async () => (await import('./internal/inverse.ts')).writeInternal },
  { name: 'tls.issuance.zerossl', load: async () => (await import('./zerossl/inverse.ts')).writeZeroSsl },
];

/** Adds the inverses. */
export function registerInverses(registry: Registry): void {
  registry.contribute(moduleInverses, ...contributions);
}
