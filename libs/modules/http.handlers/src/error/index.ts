/** The module `http.handlers.error`, which raises an error to run the error routes. */
import { compileText, HttpError, httpHandlers, type HttpHandler } from '@sluice/http-app';
import { defineModule, options, string, weakString } from '@sluice/registry';

export const errorModule = defineModule(httpHandlers, {
  name: 'error',
  effect: 'pure',
  help: 'Raises an error, which the error routes handle. Does not write a response itself.',
  config: options({
    error: string('Error message, used in logs and in `{http.error.message}`. May contain placeholders.'),
    status_code: weakString('Status code, as a number or a string with placeholders. Default: 500.'),
  }),
  provision(config): HttpHandler {
    const message = compileText(config.error ?? '', 'keep');
    const text = String(config.status_code ?? '');
    const status = text === '' ? null : compileText(text, 'empty');
    return {
      handle: (exchange) => {
        const code = status === null ? '500' : status.expand(exchange);
        if (!/^[+-]?\d{1,9}$/.test(code))
          throw new HttpError(500, `strconv.Atoi: parsing ${JSON.stringify(code)}: invalid syntax`);
        throw new HttpError(Number(code), message.expand(exchange));
      },
    };
  },
});
