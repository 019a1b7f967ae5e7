/** `layer4.handlers.tee`: passes a copy of the received data to other handlers. */
import { composeHandlers, Layer4Connection, layer4Handlers, type Layer4Handler } from '@sluice/layer4-app';
import { defineModule, inlineModules, options } from '@sluice/registry';
import { CopiedSocket, SplitSocket } from './split-socket.ts';

export const teeModule = defineModule(layer4Handlers, {
  name: 'tee',
  help: 'Sends a copy of the client data to a branch of handlers, which run in parallel with the handlers that follow. Both the branch and the following handlers can write to the client. The slower side limits the throughput.',
  config: options({
    branch: inlineModules('Handlers in the branch, in order.', layer4Handlers, 'handler'),
  }),
  async provision(config, context): Promise<Layer4Handler> {
    const handlers = await context.loadInlineList(layer4Handlers, config.branch ?? [], 'handler', 'branch');
    const branch = composeHandlers(handlers, (connection) => connection.close());
    return {
      handle(connection, next) {
        const { facts, transport, log } = connection;
        const main = new SplitSocket(connection.socket, connection);
        const copy = new CopiedSocket(connection.socket, main);
        main.split(copy);
        connection.socket = main;
        branch(new Layer4Connection({ socket: copy, facts: { ...facts }, transport, log, epoch: null, table: null }));
        next(connection);
      },
    };
  },
});
