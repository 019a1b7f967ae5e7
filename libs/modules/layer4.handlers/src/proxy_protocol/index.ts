/** `layer4.handlers.proxy_protocol`: reads the client address from a PROXY header. */
import type { Socket } from 'node:net';
import { provisionProxyProtocol, proxyProtocolOptions } from '@sluice/http-app';
import { layer4Handlers, type Layer4Handler } from '@sluice/layer4-app';
import { defineModule } from '@sluice/registry';
import { limitTime } from '../common/time-limit.ts';

export const proxyProtocolModule = defineModule(layer4Handlers, {
  name: 'proxy_protocol',
  help: 'Reads the PROXY protocol header (version 1 or 2), which contains the original source and destination addresses of a connection. If `allow`, `deny` and `fallback_policy` are all unset, headers from all peers are accepted.',
  config: proxyProtocolOptions,
  provision(config, context): Layer4Handler {
    const isOpen = !config.allow?.length && !config.deny?.length;
    const read = provisionProxyProtocol(config, context, isOpen ? 'USE' : 'IGNORE');
    return {
      handle(connection, next) {
        if (connection.transport === 'udp') next(connection);
        else {
          const stop = limitTime(connection, 'PROXY header');
          read(connection.socket as Socket, connection.facts, () => {
            stop();
            next(connection);
          });
        }
      },
    };
  },
});
