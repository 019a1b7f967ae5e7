/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('tls.get_certificate', {
  http: async () => (await import('./http/index.ts')).httpModule,
  selfsigned: async () => (await import('./selfsigned/index.ts')).selfsignedModule,
  tailscale: async () => (await import('./tailscale/index.ts')).tailscaleModule,
});
