/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'tls.handshake_match',
    name: 'alpn',
    load: async () => (await import('./alpn/index.ts')).alpnModule,
  },
  {
    namespace: 'tls.handshake_match',
    name: 'local_ip',
    load: async () => (await import('./local_ip/index.ts')).localIpModule,
  },
  {
    namespace: 'tls.handshake_match',
    name: 'not',
    load: async () => (await import('./not/index.ts')).notModule,
  },
  {
    namespace: 'tls.handshake_match',
    name: 'remote_ip',
    load: async () => (await import('./remote_ip/index.ts')).remoteIpModule,
  },
  {
    namespace: 'tls.handshake_match',
    name: 'sni',
    load: async () => (await import('./sni/index.ts')).sniModule,
  },
  {
    namespace: 'tls.handshake_match',
    name: 'sni_regexp',
    load: async () => (await import('./sni_regexp/index.ts')).sniRegexpModule,
  },
];
