/** `http.reverse_proxy.transport.http`: upstreams that speak HTTP/1.1 or HTTP/2. */
import { upstreamTransports, type Transport } from '@sluice/http-app';
import { defineModule, ResourcePool, type ModuleDescriptor } from '@sluice/registry';
import { ClientPool } from './client-pool.ts';
import { clientSettings } from './client-settings.ts';
import { HttpTransport } from './http-transport.ts';
import { httpTransportOptions } from './options.ts';

/** The module; all transports of a registry share their connections by their settings. */
export function httpTransportModule(): ModuleDescriptor<Transport> {
  const pools = new ResourcePool<ClientPool>();
  return defineModule(upstreamTransports, {
    name: 'http',
    help: 'Connects to upstreams over HTTP/1.1 or HTTP/2, with or without TLS. Transports with equal options share connections.',
    config: httpTransportOptions,
    async provision(config, context) {
      const { settings, key } = await clientSettings(config, context);
      return new HttpTransport(await context.acquire(pools, key, () => new ClientPool(settings)));
    },
  });
}
