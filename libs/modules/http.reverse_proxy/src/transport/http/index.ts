/** `http.reverse_proxy.transport.http`: HTTP upstreams. */
import { upstreamConnections, upstreamTransports, type Transport, type UpstreamConnections } from '@sluice/http-app';
import { defineModule, ResourcePool, type Context, type ModuleDescriptor } from '@sluice/registry';
import { threadBusToken } from '@sluice/threads';
import { messageOf } from '@sluice/base';
import { ClientPool } from './client-pool.ts';
import { clientSettings } from './client-settings.ts';
import type { Http3Dialer } from './http3-dialer.ts';
import { HttpTransport } from './http-transport.ts';
import type { OriginSettings } from './origin-settings.ts';
import { httpTransportOptions } from './options.ts';

/** Creates the module. Within a registry, all transports with equal settings share their connections. */
export function httpTransportModule(): ModuleDescriptor<Transport> {
  const pools = new ResourcePool<ClientPool>();
  const open = new Set<ClientPool>();
  const connections = (): readonly UpstreamConnections[] => [...open].flatMap((pool) => [...pool.connections()]);
  return defineModule(upstreamTransports, {
    name: 'http',
    help: 'Connects to upstreams over HTTP/1.1, HTTP/2 or HTTP/3. Transports with identical options share their connections.',
    config: httpTransportOptions,
    async provision(config, context) {
      const { settings, key } = await clientSettings(config, context);
      const bus = context.roles.traffic ? context.find(threadBusToken) : undefined;
      if (bus !== undefined) context.onDispose(bus.onGather(upstreamConnections, connections));
      const http3 = settings.http3 ? await http3DialerOf(context) : null;
      return new HttpTransport(
        await context.acquire(pools, key, () => new ClientPool(settings, open, http3?.(settings) ?? null)),
      );
    },
  });
}

/** Loads HTTP/3 support and the native bindings on demand. */
async function http3DialerOf(context: Context): Promise<(settings: OriginSettings) => Http3Dialer> {
  const { Http3Dialer: Dialer, nativeProblem } = await import('./http3-dialer.ts');
  const problem = nativeProblem();
  if (problem !== null) throw context.error(`HTTP/3 is not available: ${problem}`, 'versions');
  return (settings) => {
    const { tls } = settings;
    if (tls === null) throw context.error('"3" requires tls', 'versions');
    try {
      return new Dialer(settings, tls);
    } catch (error) {
      throw context.error(messageOf(error), 'tls');
    }
  };
}
