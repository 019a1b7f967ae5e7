/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('dynamic_dns.ip_sources', {
  interface: async () => (await import('./interface/index.ts')).interfaceModule,
  simple_http: async () => (await import('./simple_http/index.ts')).simpleHttpModule,
  static: async () => (await import('./static/index.ts')).staticModule,
  upnp: async () => (await import('./upnp/index.ts')).upnpModule,
});
