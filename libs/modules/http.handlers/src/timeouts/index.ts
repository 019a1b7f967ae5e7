/** `http.handlers.timeouts`: how long clients of single routes may stall. */
import { httpHandlers, paceRule, type HttpHandler, type PaceRule } from '@sluice/http-app';
import { defineModule, integer, options } from '@sluice/registry';

/** The module. */
export const timeoutsModule = defineModule(httpHandlers, {
  name: 'timeouts',
  effect: 'pure',
  help: 'How long clients may stall, in place of the idle time-outs and rates of the server. A request body that is too slow fails with 408; a response that is taken too slowly is cut.',
  config: options({
    read_timeout: integer(
      'Longest pause of a client that sends a request body, in nanoseconds. 0 or less: as the server has it.',
    ),
    read_min_rate: integer(
      'Bytes a second of the request body: read_timeout is then for all of it, and each byte buys more time. 0: none.',
    ),
    write_timeout: integer(
      'Longest pause of a client that takes a response, in nanoseconds. 0 or less: as the server has it.',
    ),
    write_min_rate: integer(
      'Bytes a second of the response: write_timeout is then for all of it, and each byte buys more time. 0: none.',
    ),
    max_write_chunk: integer('So many bytes that wait to be sent count as progress of the client. Default 65536.'),
  }),
  provision(config): HttpHandler {
    const read = ruleOf(config.read_timeout, config.read_min_rate);
    const write = ruleOf(config.write_timeout, config.write_min_rate, config.max_write_chunk);
    return {
      handle: (exchange, next) => {
        const { connection } = exchange;
        if (read !== null) connection.setPace?.('body', read);
        if (write !== null) connection.setPace?.('response', write);
        return next(exchange);
      },
    };
  },
});

/** `null` where the rule of the server stays. */
function ruleOf(nanoseconds?: number | null, rate?: number | null, chunk?: number | null): PaceRule | null {
  return (nanoseconds ?? 0) > 0 ? paceRule((nanoseconds as number) / 1e6, rate, chunk) : null;
}
