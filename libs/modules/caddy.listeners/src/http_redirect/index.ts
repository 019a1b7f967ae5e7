/** `caddy.listeners.http_redirect`: responds to plain HTTP on a port for TLS with the address under https. */
import { listenerWrappers, type ListenerWrapper } from '@sluice/http-app';
import { defineModule, integer, options } from '@sluice/registry';
import { Redirector } from './redirector.ts';

const oneMebibyte = 1024 * 1024;

/** The module. */
export const httpRedirectModule = defineModule(listenerWrappers, {
  name: 'http_redirect',
  help: 'Redirects plain HTTP requests that arrive on a port for TLS to the same address under https. Stands before `tls`.',
  config: options({
    max_header_bytes: integer('Most bytes of a plain request that are read for its host. Default 1 MiB.'),
  }),
  provision(config): ListenerWrapper {
    const given = config.max_header_bytes ?? 0;
    const maxHeaderBytes = given > 0 ? given : oneMebibyte;
    return {
      place: 'before_tls',
      wrap: (socket, facts, next) => new Redirector(socket, facts, next, maxHeaderBytes).start(),
    };
  },
});
