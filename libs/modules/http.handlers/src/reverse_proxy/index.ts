/** `http.handlers.reverse_proxy`: passes requests on to upstreams. */
import { httpHandlers } from '@sluice/http-app';
import { defineModule, type Registry } from '@sluice/registry';
import { AbortWatch } from './abort-watch.ts';
import { addUpstreamRoutes } from './admin-routes.ts';
import { reverseProxyOptions } from './options.ts';
import { provisionProxy, type SharedParts } from './provision.ts';
import { UpstreamTable } from './upstream-table.ts';

/** Adds the module, and its routes of the admin API, which know the same upstreams. */
export function registerReverseProxy(registry: Registry): void {
  const shared: SharedParts = { table: new UpstreamTable(), watch: new AbortWatch() };
  registry.add(
    defineModule(httpHandlers, {
      name: 'reverse_proxy',
      help: 'Passes requests on to upstreams, chosen among those that are healthy, and their answers back.',
      config: reverseProxyOptions,
      provision: (config, context) => provisionProxy(config, context, shared),
    }),
  );
  registry.hooks.adminRoutes.tap('http.handlers.reverse_proxy', (routes) => addUpstreamRoutes(routes, shared.table));
}
