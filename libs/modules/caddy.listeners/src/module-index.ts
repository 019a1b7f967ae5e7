/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('caddy.listeners', {
  http_redirect: async () => (await import('./http_redirect/index.ts')).httpRedirectModule,
  layer4: async () => (await import('./layer4/index.ts')).layer4Module,
  proxy_protocol: async () => (await import('./proxy_protocol/index.ts')).proxyProtocolModule,
  tls: async () => (await import('./tls/index.ts')).tlsModule,
});
