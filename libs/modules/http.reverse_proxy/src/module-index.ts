/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'http.reverse_proxy.selection_policies',
    name: 'client_ip_hash',
    load: async () => (await import('./selection_policies/client_ip_hash/index.ts')).clientIpHashModule,
  },
  {
    namespace: 'http.reverse_proxy.selection_policies',
    name: 'cookie',
    load: async () => (await import('./selection_policies/cookie/index.ts')).cookieModule,
  },
  {
    namespace: 'http.reverse_proxy.selection_policies',
    name: 'first',
    load: async () => (await import('./selection_policies/first/index.ts')).firstModule,
  },
  {
    namespace: 'http.reverse_proxy.selection_policies',
    name: 'header',
    load: async () => (await import('./selection_policies/header/index.ts')).headerModule,
  },
  {
    namespace: 'http.reverse_proxy.selection_policies',
    name: 'ip_hash',
    load: async () => (await import('./selection_policies/ip_hash/index.ts')).ipHashModule,
  },
  {
    namespace: 'http.reverse_proxy.selection_policies',
    name: 'least_conn',
    load: async () => (await import('./selection_policies/least_conn/index.ts')).leastConnModule,
  },
  {
    namespace: 'http.reverse_proxy.selection_policies',
    name: 'query',
    load: async () => (await import('./selection_policies/query/index.ts')).queryModule,
  },
  {
    namespace: 'http.reverse_proxy.selection_policies',
    name: 'random',
    load: async () => (await import('./selection_policies/random/index.ts')).randomModule,
  },
  {
    namespace: 'http.reverse_proxy.selection_policies',
    name: 'random_choose',
    load: async () => (await import('./selection_policies/random_choose/index.ts')).randomChooseModule,
  },
  {
    namespace: 'http.reverse_proxy.selection_policies',
    name: 'round_robin',
    load: async () => (await import('./selection_policies/round_robin/index.ts')).roundRobinModule,
  },
  {
    namespace: 'http.reverse_proxy.selection_policies',
    name: 'uri_hash',
    load: async () => (await import('./selection_policies/uri_hash/index.ts')).uriHashModule,
  },
  {
    namespace: 'http.reverse_proxy.selection_policies',
    name: 'weighted_round_robin',
    load: async () => (await import('./selection_policies/weighted_round_robin/index.ts')).weightedRoundRobinModule,
  },
  {
    namespace: 'http.reverse_proxy.transport',
    name: 'fastcgi',
    load: async () => (await import('./transport/fastcgi/index.ts')).fastcgiModule,
  },
  {
    namespace: 'http.reverse_proxy.upstreams',
    name: 'a',
    load: async () => (await import('./upstreams/a/index.ts')).aModule,
  },
  {
    namespace: 'http.reverse_proxy.upstreams',
    name: 'multi',
    load: async () => (await import('./upstreams/multi/index.ts')).multiModule,
  },
  {
    namespace: 'http.reverse_proxy.upstreams',
    name: 'srv',
    load: async () => (await import('./upstreams/srv/index.ts')).srvModule,
  },
];
