/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'layer4.matchers',
    name: 'clock',
    load: async () => (await import('./clock/index.ts')).clockModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'dns',
    load: async () => (await import('./dns/index.ts')).dnsModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'http',
    load: async () => (await import('./http/index.ts')).httpModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'local_ip',
    load: async () => (await import('./local_ip/index.ts')).localIpModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'not',
    load: async () => (await import('./not/index.ts')).notModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'postgres',
    load: async () => (await import('./postgres/index.ts')).postgresModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'proxy_protocol',
    load: async () => (await import('./proxy_protocol/index.ts')).proxyProtocolModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'quic',
    load: async () => (await import('./quic/index.ts')).quicModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'regexp',
    load: async () => (await import('./regexp/index.ts')).regexpModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'remote_ip',
    load: async () => (await import('./remote_ip/index.ts')).remoteIpModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'remote_ip_list',
    load: async () => (await import('./remote_ip_list/index.ts')).remoteIpListModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'socks4',
    load: async () => (await import('./socks4/index.ts')).socks4Module,
  },
  {
    namespace: 'layer4.matchers',
    name: 'socks5',
    load: async () => (await import('./socks5/index.ts')).socks5Module,
  },
  {
    namespace: 'layer4.matchers',
    name: 'ssh',
    load: async () => (await import('./ssh/index.ts')).sshModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'tls',
    load: async () => (await import('./tls/index.ts')).tlsModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'vars',
    load: async () => (await import('./vars/index.ts')).varsModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'vars_regexp',
    load: async () => (await import('./vars_regexp/index.ts')).varsRegexpModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'wireguard',
    load: async () => (await import('./wireguard/index.ts')).wireguardModule,
  },
  {
    namespace: 'layer4.matchers',
    name: 'xmpp',
    load: async () => (await import('./xmpp/index.ts')).xmppModule,
  },
];
