/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('tls.handshake_match', {
  alpn: async () => (await import('./alpn/index.ts')).alpnModule,
  local_ip: async () => (await import('./local_ip/index.ts')).localIpModule,
  not: async () => (await import('./not/index.ts')).notModule,
  remote_ip: async () => (await import('./remote_ip/index.ts')).remoteIpModule,
  sni: async () => (await import('./sni/index.ts')).sniModule,
  sni_regexp: async () => (await import('./sni_regexp/index.ts')).sniRegexpModule,
});
