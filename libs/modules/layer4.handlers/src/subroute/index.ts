/** `layer4.handlers.subroute`: nested routes within a route. */
import { layer4Handlers, layer4RoutingOptions, provisionLayer4Routes, type Layer4Handler } from '@sluice/layer4-app';
import { defineModule, options } from '@sluice/registry';

export const subrouteModule = defineModule(layer4Handlers, {
  name: 'subroute',
  help: 'Runs nested routes. If none of them handles the connection, the next handler runs.',
  config: options(layer4RoutingOptions),
  async provision(config, context): Promise<Layer4Handler> {
    const routes = await provisionLayer4Routes(config, context);
    return { handle: (connection, next) => routes.enter(connection, next) };
  },
});
