/** `http.handlers.push`: announces resources to be pushed, where a protocol has server push. */
import { headerOperationOptions, httpHandlers, type HttpHandler } from '@sluice/http-app';
import { defineModule, list, options, string, structure } from '@sluice/registry';

/** The module. Browsers have given server push up; requests pass through unchanged, with their Link fields. */
export const pushModule = defineModule(httpHandlers, {
  name: 'push',
  effect: 'pure',
  help: 'Announces resources for HTTP/2 server push. No client of today takes them, so nothing is pushed.',
  config: options({
    resources: list(
      'Accepted, no effect: no client of today takes a push. Resources.',
      options({
        method: string('Accepted, no effect: see resources. GET or HEAD.'),
        target: string('Accepted, no effect: see resources. Path of the resource.'),
      }),
    ),
    headers: structure(
      'Accepted, no effect: see resources. Changes of the header fields of pushed requests.',
      headerOperationOptions,
    ),
  }),
  provision: (): HttpHandler => ({ handle: (exchange, next) => next(exchange) }),
});
