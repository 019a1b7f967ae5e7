/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'tls.get_certificate',
    name: 'http',
    load: async () => (await import('./http/index.ts')).httpModule,
  },
  {
    namespace: 'tls.get_certificate',
    name: 'selfsigned',
    load: async () => (await import('./selfsigned/index.ts')).selfsignedModule,
  },
  {
    namespace: 'tls.get_certificate',
    name: 'tailscale',
    load: async () => (await import('./tailscale/index.ts')).tailscaleModule,
  },
];
