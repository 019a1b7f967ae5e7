/** The module `caddy.listeners.proxy_protocol`. It uses the client addresses that a proxy or load balancer reports with the PROXY protocol. */
import { listenerWrappers, provisionProxyProtocol, proxyProtocolOptions, type ListenerWrapper } from '@sluice/http-app';
import { defineModule } from '@sluice/registry';

export const proxyProtocolModule = defineModule(listenerWrappers, {
  name: 'proxy_protocol',
  help: 'Reads the PROXY protocol header (version 1 or 2), which contains the original source and destination addresses of a connection. Peers on Unix sockets are trusted.',
  config: proxyProtocolOptions,
  provision: (config, context): ListenerWrapper => ({
    place: 'before_tls',
    wrap: provisionProxyProtocol(config, context, 'IGNORE'),
  }),
});
