/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'caddy.listeners',
    name: 'http_redirect',
    load: async () => (await import('./http_redirect/index.ts')).httpRedirectModule,
  },
  {
    namespace: 'caddy.listeners',
    name: 'layer4',
    load: async () => (await import('./layer4/index.ts')).layer4Module,
  },
  {
    namespace: 'caddy.listeners',
    name: 'proxy_protocol',
    load: async () => (await import('./proxy_protocol/index.ts')).proxyProtocolModule,
  },
  {
    namespace: 'caddy.listeners',
    name: 'tls',
    load: async () => (await import('./tls/index.ts')).tlsModule,
  },
];
