/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'http.matchers',
    name: 'client_ip',
    load: async () => (await import('./client_ip/index.ts')).clientIpModule,
  },
  {
    namespace: 'http.matchers',
    name: 'expression',
    load: async () => (await import('./expression/index.ts')).expressionModule,
  },
  {
    namespace: 'http.matchers',
    name: 'file',
    load: async () => (await import('./file/index.ts')).fileModule,
  },
  {
    namespace: 'http.matchers',
    name: 'header',
    load: async () => (await import('./header/index.ts')).headerModule,
  },
  {
    namespace: 'http.matchers',
    name: 'header_regexp',
    load: async () => (await import('./header_regexp/index.ts')).headerRegexpModule,
  },
  {
    namespace: 'http.matchers',
    name: 'host',
    load: async () => (await import('./host/index.ts')).hostModule,
  },
  {
    namespace: 'http.matchers',
    name: 'maxmind_geolocation',
    load: async () => (await import('./maxmind_geolocation/index.ts')).maxmindGeolocationModule,
  },
  {
    namespace: 'http.matchers',
    name: 'method',
    load: async () => (await import('./method/index.ts')).methodModule,
  },
  {
    namespace: 'http.matchers',
    name: 'not',
    load: async () => (await import('./not/index.ts')).notModule,
  },
  {
    namespace: 'http.matchers',
    name: 'path',
    load: async () => (await import('./path/index.ts')).pathModule,
  },
  {
    namespace: 'http.matchers',
    name: 'path_regexp',
    load: async () => (await import('./path_regexp/index.ts')).pathRegexpModule,
  },
  {
    namespace: 'http.matchers',
    name: 'protocol',
    load: async () => (await import('./protocol/index.ts')).protocolModule,
  },
  {
    namespace: 'http.matchers',
    name: 'query',
    load: async () => (await import('./query/index.ts')).queryModule,
  },
  {
    namespace: 'http.matchers',
    name: 'remote_ip',
    load: async () => (await import('./remote_ip/index.ts')).remoteIpModule,
  },
  {
    namespace: 'http.matchers',
    name: 'tls',
    load: async () => (await import('./tls/index.ts')).tlsModule,
  },
  {
    namespace: 'http.matchers',
    name: 'url_pattern',
    load: async () => (await import('./url_pattern/index.ts')).urlPatternModule,
  },
  {
    namespace: 'http.matchers',
    name: 'vars',
    load: async () => (await import('./vars/index.ts')).varsModule,
  },
  {
    namespace: 'http.matchers',
    name: 'vars_regexp',
    load: async () => (await import('./vars_regexp/index.ts')).varsRegexpModule,
  },
];
