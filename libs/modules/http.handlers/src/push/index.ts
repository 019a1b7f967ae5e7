/** `http.handlers.push`: announces resources for server push. */
import { headerOperationOptions, httpHandlers, type HttpHandler } from '@sluice/http-app';
import { defineModule, list, options, string, structure } from '@sluice/registry';

/** Browsers no longer support server push, so requests pass through unchanged, including Link fields. */
export const pushModule = defineModule(httpHandlers, {
  name: 'push',
  effect: 'pure',
  help: 'Announces resources for HTTP/2 server push. Nothing is pushed, because clients no longer support server push.',
  config: options({
    resources: list(
      'Accepted but ignored: clients no longer support server push. Resources to push.',
      options({
        method: string('Accepted but ignored: see resources. GET or HEAD.'),
        target: string('Accepted but ignored: see resources. Path of the resource.'),
      }),
    ),
    headers: structure(
      'Accepted but ignored: see resources. Changes to the header fields of pushed requests.',
      headerOperationOptions,
    ),
  }),
  provision: (): HttpHandler => ({ handle: (exchange, next) => next(exchange) }),
});
