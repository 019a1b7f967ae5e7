/** The module `http.handlers.push`, which exists for compatibility with Caddy's server push. */
import { headerOperationOptions, httpHandlers, type HttpHandler } from '@sluice/http-app';
import { defineModule, list, options, string, structure } from '@sluice/registry';

/** Browsers no longer support server push. Requests are passed on unchanged, and Link headers are kept. */
export const pushModule = defineModule(httpHandlers, {
  name: 'push',
  effect: 'pure',
  help: 'Accepted but ignored: clients no longer support HTTP/2 server push.',
  config: options({
    resources: list(
      'Resources to push. Accepted but ignored: clients no longer support server push.',
      options({
        method: string('Request method, GET or HEAD. Accepted but ignored.'),
        target: string('Path of the resource. Accepted but ignored.'),
      }),
    ),
    headers: structure(
      'Changes to the header fields of pushed requests. Accepted but ignored.',
      headerOperationOptions,
    ),
  }),
  provision: (): HttpHandler => ({ handle: (exchange, next) => next(exchange) }),
});
