/** `http.handlers.reverse_proxy`: passes requests on to upstreams. */
import { httpHandlers } from '@sluice/http-app';
import { defineModule, type Registry } from '@sluice/registry';
import { AbortWatch } from './abort-watch.ts';
import { addUpstreamRoutes } from './admin-routes.ts';
import { FoundUpstreams } from './found-upstreams.ts';
import { reverseProxyOptions } from './options.ts';
import { provisionProxy, type SharedParts } from './provision.ts';
import { UpstreamTable } from './upstream-table.ts';

/** Adds the module, and its routes of the admin API, which know the same upstreams. */
export function registerReverseProxy(registry: Registry): void {
  const table = new UpstreamTable();
  const found = new FoundUpstreams(table);
  const shared: SharedParts = { table, found, watch: new AbortWatch() };
  registry.add(
    defineModule(httpHandlers, {
      name: 'reverse_proxy',
      help: 'Passes requests on to upstreams, chosen among those that are healthy, and their responses back.',
      config: reverseProxyOptions,
      provision: (config, context) => provisionProxy(config, context, shared),
    }),
  );
  registry.hooks.adminRoutes.tap('http.handlers.reverse_proxy', (routes) => addUpstreamRoutes(routes, table, found));
}
