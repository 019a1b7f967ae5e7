/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  ...listed('http.reverse_proxy.selection_policies', {
    client_ip_hash: async () => (await import('./selection_policies/client_ip_hash/index.ts')).clientIpHashModule,
    cookie: async () => (await import('./selection_policies/cookie/index.ts')).cookieModule,
    first: async () => (await import('./selection_policies/first/index.ts')).firstModule,
    header: async () => (await import('./selection_policies/header/index.ts')).headerModule,
    ip_hash: async () => (await import('./selection_policies/ip_hash/index.ts')).ipHashModule,
    least_conn: async () => (await import('./selection_policies/least_conn/index.ts')).leastConnModule,
    query: async () => (await import('./selection_policies/query/index.ts')).queryModule,
    random: async () => (await import('./selection_policies/random/index.ts')).randomModule,
    random_choose: async () => (await import('./selection_policies/random_choose/index.ts')).randomChooseModule,
    round_robin: async () => (await import('./selection_policies/round_robin/index.ts')).roundRobinModule,
    uri_hash: async () => (await import('./selection_policies/uri_hash/index.ts')).uriHashModule,
    weighted_round_robin: async () =>
      (await import('./selection_policies/weighted_round_robin/index.ts')).weightedRoundRobinModule,
  }),
  ...listed('http.reverse_proxy.transport', {
    fastcgi: async () => (await import('./transport/fastcgi/index.ts')).fastcgiModule,
  }),
  ...listed('http.reverse_proxy.upstreams', {
    a: async () => (await import('./upstreams/a/index.ts')).aModule,
    multi: async () => (await import('./upstreams/multi/index.ts')).multiModule,
    srv: async () => (await import('./upstreams/srv/index.ts')).srvModule,
  }),
];
