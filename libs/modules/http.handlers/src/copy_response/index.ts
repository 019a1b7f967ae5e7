/** The module `http.handlers.copy_response`. In a `handle_response` route, it sends the upstream response to the client. */
import { compileText, HttpError, httpHandlers, type HttpHandler, proxyFacts } from '@sluice/http-app';
import { defineModule, options, weakString } from '@sluice/registry';

export const copyResponseModule = defineModule(httpHandlers, {
  name: 'copy_response',
  effect: 'pure',
  help: 'Writes the upstream response: status code, header fields and body. Only valid in `handle_response` routes.',
  config: options({
    status_code: weakString("Response status code. May be a placeholder. Default: the upstream's status code."),
  }),
  provision(config): HttpHandler {
    const text = String(config.status_code ?? '');
    const status = text === '' ? null : compileText(text, 'empty');
    return {
      handle: (exchange) => {
        const held = exchange.attached(proxyFacts)?.held ?? null;
        if (held === null)
          throw new HttpError(500, 'copy_response requires a response: use it in handle_response of reverse_proxy');
        return held.pass(exchange, status === null ? held.status : statusFrom(status.expand(exchange)));
      },
    };
  },
});

function statusFrom(text: string): number {
  if (!/^[1-9]\d\d$/.test(text))
    throw new HttpError(500, `status_code ${JSON.stringify(text)} is not a status code from 100 to 999`);
  return Number(text);
}
