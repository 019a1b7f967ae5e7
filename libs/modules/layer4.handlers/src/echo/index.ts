/** `layer4.handlers.echo`: sends received data back to the client. */
import { layer4Handlers } from '@sluice/layer4-app';
import { defineModule, options } from '@sluice/registry';
import { Pipe } from '../common/pipe.ts';

export const echoModule = defineModule(layer4Handlers, {
  name: 'echo',
  help: 'Echoes all received data back to the client. Intended for testing.',
  config: options({}),
  provision: () => ({
    handle(connection) {
      connection.settle();
      new Pipe(connection.socket, [connection.socket], connection).start(connection);
    },
  }),
});
