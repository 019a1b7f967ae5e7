/** The module `http.handlers.request_body`, which limits or replaces the request body. */
import { BufferedBody, compileText, HttpError, httpHandlers, LimitedBody, type HttpHandler } from '@sluice/http-app';
import { defineModule, integer, options, string } from '@sluice/registry';

export const requestBodyModule = defineModule(httpHandlers, {
  name: 'request_body',
  effect: 'pure',
  help: 'Limits the size of the request body, or replaces the body.',
  config: options({
    max_size: integer(
      'Maximum size of a request body, in bytes. A request with a larger Content-Length fails immediately with status code 413. If the length is unknown, reading past the limit fails with 413. 0 = no limit.',
    ),
    set: string('Body that replaces the request body. May contain placeholders.'),
  }),
  provision(config): HttpHandler {
    const limit = config.max_size ?? 0;
    const set = config.set ? compileText(config.set, 'keep') : null;
    return {
      handle: (exchange, next) => {
        if (set !== null) {
          const content = Buffer.from(set.expand(exchange));
          if (limit > 0 && content.length > limit)
            throw new HttpError(413, `the body that request_body sets is larger than ${limit} bytes`);
          exchange.keepOriginalHeaders();
          exchange.headers.delete('content-length');
          exchange.body = new BufferedBody(content);
        } else if (limit > 0 && exchange.body.length !== 0) {
          exchange.body = new LimitedBody(exchange.body, limit);
          // If the body length is known, reject the request before other handlers process it.
          if (exchange.body.length > limit) throw new HttpError(413, `the request body is larger than ${limit} bytes`);
        }
        return next(exchange);
      },
    };
  },
});
