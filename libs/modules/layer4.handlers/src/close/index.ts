/** `layer4.handlers.close`: closes connections. */
import { layer4Handlers } from '@sluice/layer4-app';
import { defineModule, options } from '@sluice/registry';

export const closeModule = defineModule(layer4Handlers, {
  name: 'close',
  help: 'Closes the connection without sending anything.',
  config: options({}),
  provision: () => ({ handle: (connection) => connection.close() }),
});
