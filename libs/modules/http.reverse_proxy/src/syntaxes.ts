/** The syntax of parts of the reverse proxy in the Caddyfile. */
import { described, moduleSyntaxes, withoutOptions, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  {
    name: 'http.reverse_proxy.selection_policies.cookie',
    load: async () => (await import('./selection_policies/cookie/caddyfile.ts')).readCookie,
  },
  {
    name: 'http.reverse_proxy.selection_policies.header',
    load: async () => (await import('./selection_policies/header/caddyfile.ts')).readHeader,
  },
  {
    name: 'http.reverse_proxy.selection_policies.query',
    load: async () => (await import('./selection_policies/query/caddyfile.ts')).readQuery,
  },
  {
    name: 'http.reverse_proxy.selection_policies.random_choose',
    load: async () => (await import('./selection_policies/random_choose/caddyfile.ts')).readRandomChoose,
  },
  {
    name: 'http.reverse_proxy.selection_policies.weighted_round_robin',
    load: async () => (await import('./selection_policies/weighted_round_robin/caddyfile.ts')).readWeightedRoundRobin,
  },
  {
    name: 'http.reverse_proxy.transport.fastcgi',
    load: async () => (await import('./transport/fastcgi/caddyfile.ts')).readFastcgi,
  },
  {
    name: 'http.reverse_proxy.transport.http',
    load: async () => (await import('./transport/http/caddyfile.ts')).readHttpTransport,
  },
  { name: 'http.reverse_proxy.upstreams.a', load: async () => (await import('./upstreams/a/caddyfile.ts')).readA },
  {
    name: 'http.reverse_proxy.upstreams.srv',
    load: async () => (await import('./upstreams/srv/caddyfile.ts')).readSrv,
  },
  {
    name: 'http.reverse_proxy.upstreams.multi',
    load: async () => (await import('./upstreams/multi/caddyfile.ts')).readMulti,
  },
  withoutOptions('http.reverse_proxy.selection_policies.client_ip_hash'),
  withoutOptions('http.reverse_proxy.selection_policies.first'),
  withoutOptions('http.reverse_proxy.selection_policies.ip_hash'),
  withoutOptions('http.reverse_proxy.selection_policies.least_conn'),
  withoutOptions('http.reverse_proxy.selection_policies.random'),
  withoutOptions('http.reverse_proxy.selection_policies.round_robin'),
  withoutOptions('http.reverse_proxy.selection_policies.uri_hash'),
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('http.reverse_proxy', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}
