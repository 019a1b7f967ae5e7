/** Options of the `layer4` app. */
import { duration, list, map, options, strings } from '@sluice/registry';
import { layer4RouteOptions } from './routing/route.ts';

/** Routing options shared by servers, subroutes and listener wrappers. */
export const layer4RoutingOptions = {
  routes: list('Routes, in order. The first route that matches handles the connection.', layer4RouteOptions),
  matching_timeout: duration(
    'Maximum time to find a matching route. If no route matches in time, the connection is closed. Default: 3s.',
  ),
};

export const layer4ServerOptions = options({
  listen: strings('Listen addresses, such as `:443`, `udp/:53` (UDP) or `unix//run/app.sock`.', {
    examples: [[':443', 'udp/:53']],
  }),
  ...layer4RoutingOptions,
  idle_timeout: duration('Idle time after which a UDP peer is considered disconnected. Default: 30s.'),
});

/** Options of the `layer4` app. */
export const layer4Options = options({
  servers: map('Map of server names to servers.', layer4ServerOptions),
});
