/** Reference documentation for the modules in this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';
import { activeConnections, proxiedConnections, upstreamHealthy } from './proxy/meter.ts';

/** Returns a layer 4 server with these handlers. */
const handled = (...handle: JsonObject[]): JsonObject => ({
  apps: { layer4: { servers: { example: { listen: [':5000'], routes: [{ handle }] } } } },
});

const proxy: JsonObject = { handler: 'proxy', upstreams: [{ dial: ['10.0.0.1:22'] }] };

export const reference: PackageReference = {
  examples: {
    'layer4.handlers.close': handled({ handler: 'close' }),
    'layer4.handlers.echo': handled({ handler: 'echo' }),
    'layer4.handlers.postgres_tls': handled({ handler: 'postgres_tls' }, { handler: 'tls' }, proxy),
    'layer4.handlers.proxy': handled({
      handler: 'proxy',
      upstreams: [{ dial: ['10.0.0.1:22'] }, { dial: ['10.0.0.2:22'] }],
      load_balancing: { selection: { policy: 'round_robin' }, try_duration: '5s' },
      health_checks: { active: { interval: '10s' }, passive: { fail_duration: '30s' } },
    }),
    'layer4.handlers.proxy_protocol': handled({ handler: 'proxy_protocol', allow: ['10.0.0.0/8'] }, proxy),
    'layer4.handlers.socks5': handled({ handler: 'socks5', credentials: { ada: 'secret' } }),
    'layer4.handlers.subroute': handled({ handler: 'subroute', routes: [{ match: [{ ssh: {} }], handle: [proxy] }] }),
    'layer4.handlers.tee': handled(
      { handler: 'tee', branch: [{ handler: 'proxy', upstreams: [{ dial: ['10.0.0.2:514'] }] }] },
      proxy,
    ),
    'layer4.handlers.throttle': handled(
      { handler: 'throttle', read_bytes_per_second: 100_000, latency: '50ms' },
      proxy,
    ),
    'layer4.handlers.tls': handled({ handler: 'tls', connection_policies: [{ alpn: ['http/1.1'] }] }, proxy),
    'layer4.handlers.vars': handled(
      { handler: 'vars', backend: '{l4.conn.local_addr}' },
      { handler: 'proxy', upstreams: [{ dial: ['{l4.vars.backend}'] }] },
    ),
  },
  metrics: [proxiedConnections, activeConnections, upstreamHealthy],
};
