/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'layer4.handlers',
    name: 'close',
    load: async () => (await import('./close/index.ts')).closeModule,
  },
  {
    namespace: 'layer4.handlers',
    name: 'echo',
    load: async () => (await import('./echo/index.ts')).echoModule,
  },
  {
    namespace: 'layer4.handlers',
    name: 'postgres_tls',
    load: async () => (await import('./postgres_tls/index.ts')).postgresTlsModule,
  },
  {
    namespace: 'layer4.handlers',
    name: 'proxy',
    load: async () => (await import('./proxy/index.ts')).proxyModule,
  },
  {
    namespace: 'layer4.handlers',
    name: 'proxy_protocol',
    load: async () => (await import('./proxy_protocol/index.ts')).proxyProtocolModule,
  },
  {
    namespace: 'layer4.handlers',
    name: 'socks5',
    load: async () => (await import('./socks5/index.ts')).socks5Module,
  },
  {
    namespace: 'layer4.handlers',
    name: 'subroute',
    load: async () => (await import('./subroute/index.ts')).subrouteModule,
  },
  {
    namespace: 'layer4.handlers',
    name: 'tee',
    load: async () => (await import('./tee/index.ts')).teeModule,
  },
  {
    namespace: 'layer4.handlers',
    name: 'throttle',
    load: async () => (await import('./throttle/index.ts')).throttleModule,
  },
  {
    namespace: 'layer4.handlers',
    name: 'tls',
    load: async () => (await import('./tls/index.ts')).tlsModule,
  },
  {
    namespace: 'layer4.handlers',
    name: 'vars',
    load: async () => (await import('./vars/index.ts')).varsModule,
  },
];
