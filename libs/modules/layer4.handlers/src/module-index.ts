/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('layer4.handlers', {
  close: async () => (await import('./close/index.ts')).closeModule,
  echo: async () => (await import('./echo/index.ts')).echoModule,
  postgres_tls: async () => (await import('./postgres_tls/index.ts')).postgresTlsModule,
  proxy: async () => (await import('./proxy/index.ts')).proxyModule,
  proxy_protocol: async () => (await import('./proxy_protocol/index.ts')).proxyProtocolModule,
  socks5: async () => (await import('./socks5/index.ts')).socks5Module,
  subroute: async () => (await import('./subroute/index.ts')).subrouteModule,
  tee: async () => (await import('./tee/index.ts')).teeModule,
  throttle: async () => (await import('./throttle/index.ts')).throttleModule,
  tls: async () => (await import('./tls/index.ts')).tlsModule,
  vars: async () => (await import('./vars/index.ts')).varsModule,
});
