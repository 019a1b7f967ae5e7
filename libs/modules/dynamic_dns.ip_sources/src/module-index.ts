/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'dynamic_dns.ip_sources',
    name: 'interface',
    load: async () => (await import('./interface/index.ts')).interfaceModule,
  },
  {
    namespace: 'dynamic_dns.ip_sources',
    name: 'simple_http',
    load: async () => (await import('./simple_http/index.ts')).simpleHttpModule,
  },
  {
    namespace: 'dynamic_dns.ip_sources',
    name: 'static',
    load: async () => (await import('./static/index.ts')).staticModule,
  },
  {
    namespace: 'dynamic_dns.ip_sources',
    name: 'upnp',
    load: async () => (await import('./upnp/index.ts')).upnpModule,
  },
];
