/** Options of the `layer4` app. */
import { duration, list, map, options, strings } from '@sluice/registry';
import { layer4RouteOptions } from './routing/route.ts';

/** Options that servers, subroutes and listener wrappers share. */
export const layer4RoutingOptions = {
  routes: list('Routes, in order. The first one that matches handles the connection.', layer4RouteOptions),
  matching_timeout: duration('Maximum time for matching a connection, after which it is closed. Default: 3s.'),
};

export const layer4ServerOptions = options({
  listen: strings('Addresses to listen on: `:443`, `udp/:53`, `unix//run/app.sock`. UDP addresses start with `udp/`.', {
    examples: [[':443', 'udp/:53']],
  }),
  ...layer4RoutingOptions,
  idle_timeout: duration("UDP: idle time after which a peer's connection ends. Default: 30s."),
});

/** Options of the app. */
export const layer4Options = options({
  servers: map('Servers by name.', layer4ServerOptions),
});
