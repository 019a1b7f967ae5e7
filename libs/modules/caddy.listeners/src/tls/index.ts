/** `caddy.listeners.tls`: marks where TLS stands among the wrappers. */
import { listenerWrappers, type ListenerWrapper } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

const mark: ListenerWrapper = {
  place: 'tls',
  wrap: (socket, facts, next) => next(socket, facts),
};

/** The module. */
export const tlsModule = defineModule(listenerWrappers, {
  name: 'tls',
  help: 'Marks the position of TLS: wrappers before it see the raw connection. Default: before all wrappers.',
  config: options({}),
  provision: () => mark,
});
