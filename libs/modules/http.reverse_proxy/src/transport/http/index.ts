/** `http.reverse_proxy.transport.http`: HTTP/1.1 and HTTP/2 upstreams. */
import { upstreamConnections, upstreamTransports, type Transport, type UpstreamConnections } from '@sluice/http-app';
import { defineModule, ResourcePool, type ModuleDescriptor } from '@sluice/registry';
import { threadBusToken } from '@sluice/threads';
import { ClientPool } from './client-pool.ts';
import { clientSettings } from './client-settings.ts';
import { HttpTransport } from './http-transport.ts';
import { httpTransportOptions } from './options.ts';

/** Creates the module; all transports of a registry with equal settings share connections. */
export function httpTransportModule(): ModuleDescriptor<Transport> {
  const pools = new ResourcePool<ClientPool>();
  const open = new Set<ClientPool>();
  const connections = (): readonly UpstreamConnections[] => [...open].flatMap((pool) => [...pool.connections()]);
  return defineModule(upstreamTransports, {
    name: 'http',
    help: 'Connects to upstreams over HTTP/1.1 or HTTP/2, with or without TLS. Transports with equal options share connections.',
    config: httpTransportOptions,
    async provision(config, context) {
      const { settings, key } = await clientSettings(config, context);
      const bus = context.roles.traffic ? context.find(threadBusToken) : undefined;
      if (bus !== undefined) context.onDispose(bus.onGather(upstreamConnections, connections));
      return new HttpTransport(await context.acquire(pools, key, () => new ClientPool(settings, open)));
    },
  });
}
