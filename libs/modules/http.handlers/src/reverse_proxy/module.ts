/**
 * Module descriptor of the reverse proxy, and the state that its instances share. Both are created when a configuration first contains a
 * reverse proxy.
 */
import { httpHandlers } from '@sluice/http-app';
import { defineModule, type ModuleDescriptor } from '@sluice/registry';
import { AbortWatch } from './abort-watch.ts';
import { FoundUpstreams } from './found-upstreams.ts';
import { NamedUpstreams } from './outliers/named-upstreams.ts';
import { reverseProxyOptions } from './options.ts';
import { provisionProxy, type SharedParts } from './provision.ts';
import { UpstreamTable } from './upstream-table.ts';

export interface ProxyModule extends SharedParts {
  readonly descriptor: ModuleDescriptor;
}

export function makeProxyModule(): ProxyModule {
  const table = new UpstreamTable();
  const shared: SharedParts = {
    table,
    found: new FoundUpstreams(table),
    named: new NamedUpstreams(),
    watch: new AbortWatch(),
  };
  const descriptor = defineModule(httpHandlers, {
    name: 'reverse_proxy',
    effect: 'outward',
    help: 'Proxies requests to upstreams and returns their responses.',
    config: reverseProxyOptions,
    provision: (config, context) => provisionProxy(config, context, shared),
  });
  return { ...shared, descriptor };
}
