/** The module `caddy.listeners.layer4`, which runs layer 4 routes in front of an HTTP server. */
import { listenerWrappers, type ListenerWrapper } from '@sluice/http-app';
import { acquireTable, Layer4Connection, layer4RoutingOptions, provisionLayer4Routes } from '@sluice/layer4-app';
import { epochsToken } from '@sluice/reconciler';
import { defineModule, options } from '@sluice/registry';

export const layer4Module = defineModule(listenerWrappers, {
  name: 'layer4',
  help: 'Routes connections by their first bytes, before HTTP. Connections that no route handles continue to the HTTP server. If listed before `tls`, this wrapper receives connections before TLS is terminated.',
  config: options(layer4RoutingOptions),
  async provision(config, context): Promise<ListenerWrapper> {
    const routes = await provisionLayer4Routes(config, context);
    const table = await acquireTable(context);
    const epochs = context.use(epochsToken);
    const { log } = context;
    return {
      place: 'anywhere',
      wrap(socket, facts, next) {
        if (routes.routes.length === 0) {
          next(socket, facts);
          return;
        }
        const transport = facts.unix ? 'unix' : 'tcp';
        const epoch = epochs.current;
        const connection = new Layer4Connection({ socket, facts, transport, log, epoch, table });
        routes.enter(connection, () => {
          connection.release();
          next(connection.socket as typeof socket, facts);
        });
      },
    };
  },
});
