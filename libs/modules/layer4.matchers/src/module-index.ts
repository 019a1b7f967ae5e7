/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('layer4.matchers', {
  clock: async () => (await import('./clock/index.ts')).clockModule,
  dns: async () => (await import('./dns/index.ts')).dnsModule,
  http: async () => (await import('./http/index.ts')).httpModule,
  local_ip: async () => (await import('./local_ip/index.ts')).localIpModule,
  not: async () => (await import('./not/index.ts')).notModule,
  postgres: async () => (await import('./postgres/index.ts')).postgresModule,
  proxy_protocol: async () => (await import('./proxy_protocol/index.ts')).proxyProtocolModule,
  quic: async () => (await import('./quic/index.ts')).quicModule,
  regexp: async () => (await import('./regexp/index.ts')).regexpModule,
  remote_ip: async () => (await import('./remote_ip/index.ts')).remoteIpModule,
  remote_ip_list: async () => (await import('./remote_ip_list/index.ts')).remoteIpListModule,
  socks4: async () => (await import('./socks4/index.ts')).socks4Module,
  socks5: async () => (await import('./socks5/index.ts')).socks5Module,
  ssh: async () => (await import('./ssh/index.ts')).sshModule,
  tls: async () => (await import('./tls/index.ts')).tlsModule,
  vars: async () => (await import('./vars/index.ts')).varsModule,
  vars_regexp: async () => (await import('./vars_regexp/index.ts')).varsRegexpModule,
  wireguard: async () => (await import('./wireguard/index.ts')).wireguardModule,
  xmpp: async () => (await import('./xmpp/index.ts')).xmppModule,
});
