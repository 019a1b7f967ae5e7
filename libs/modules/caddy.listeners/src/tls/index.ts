/** The module `caddy.listeners.tls`, which marks the position of TLS among the listener wrappers. */
import { listenerWrappers, type ListenerWrapper } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

const mark: ListenerWrapper = {
  place: 'tls',
  wrap: (socket, facts, next) => next(socket, facts),
};

export const tlsModule = defineModule(listenerWrappers, {
  name: 'tls',
  help: 'Marks the position of TLS termination among the listener wrappers. Wrappers listed before `tls` receive connections before TLS is terminated. Default: TLS is terminated before all wrappers.',
  config: options({}),
  provision: () => mark,
});
