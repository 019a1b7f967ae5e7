/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('http.matchers', {
  client_ip: async () => (await import('./client_ip/index.ts')).clientIpModule,
  expression: async () => (await import('./expression/index.ts')).expressionModule,
  file: async () => (await import('./file/index.ts')).fileModule,
  header: async () => (await import('./header/index.ts')).headerModule,
  header_regexp: async () => (await import('./header_regexp/index.ts')).headerRegexpModule,
  host: async () => (await import('./host/index.ts')).hostModule,
  maxmind_geolocation: async () => (await import('./maxmind_geolocation/index.ts')).maxmindGeolocationModule,
  method: async () => (await import('./method/index.ts')).methodModule,
  not: async () => (await import('./not/index.ts')).notModule,
  path: async () => (await import('./path/index.ts')).pathModule,
  path_regexp: async () => (await import('./path_regexp/index.ts')).pathRegexpModule,
  protocol: async () => (await import('./protocol/index.ts')).protocolModule,
  query: async () => (await import('./query/index.ts')).queryModule,
  remote_ip: async () => (await import('./remote_ip/index.ts')).remoteIpModule,
  tls: async () => (await import('./tls/index.ts')).tlsModule,
  url_pattern: async () => (await import('./url_pattern/index.ts')).urlPatternModule,
  vars: async () => (await import('./vars/index.ts')).varsModule,
  vars_regexp: async () => (await import('./vars_regexp/index.ts')).varsRegexpModule,
});
