/** The module `caddy.listeners.http_redirect`. If a client sends plain HTTP to a TLS port, the module redirects it to HTTPS. */
import { listenerWrappers, type ListenerWrapper } from '@sluice/http-app';
import { defineModule, integer, options } from '@sluice/registry';
import { Redirector } from './redirector.ts';

const oneMebibyte = 1024 * 1024;

export const httpRedirectModule = defineModule(listenerWrappers, {
  name: 'http_redirect',
  help: 'Redirects plaintext HTTP requests on a TLS port to the same URL with the https scheme. Must be listed before `tls`.',
  config: options({
    max_header_bytes: integer(
      'Maximum number of bytes to read from a plaintext HTTP request to find its host. Default: 1 MiB.',
    ),
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
