/** The descriptor of the proxy and what its instances share, made when a configuration first has a proxy. */
import { httpHandlers } from '@sluice/http-app';
import { defineModule, type ModuleDescriptor } from '@sluice/registry';
import { AbortWatch } from './abort-watch.ts';
import { FoundUpstreams } from './found-upstreams.ts';
import { reverseProxyOptions } from './options.ts';
import { provisionProxy, type SharedParts } from './provision.ts';
import { UpstreamTable } from './upstream-table.ts';

/** The module of one registry. */
export interface ProxyModule extends SharedParts {
  readonly descriptor: ModuleDescriptor;
}

/** Makes the module of a registry. */
export function makeProxyModule(): ProxyModule {
  const table = new UpstreamTable();
  const shared: SharedParts = { table, found: new FoundUpstreams(table), watch: new AbortWatch() };
  const descriptor = defineModule(httpHandlers, {
    name: 'reverse_proxy',
    effect: 'outward',
    help: 'Proxies requests to available upstreams and returns their responses.',
    config: reverseProxyOptions,
    provision: (config, context) => provisionProxy(config, context, shared),
  });
  return { ...shared, descriptor };
}
