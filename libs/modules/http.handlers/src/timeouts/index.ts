/** `http.handlers.timeouts`: overrides the server's timeouts for stalled clients on selected routes. */
import { httpHandlers, paceRule, type HttpHandler, type PaceRule } from '@sluice/http-app';
import { defineModule, integer, options } from '@sluice/registry';

export const timeoutsModule = defineModule(httpHandlers, {
  name: 'timeouts',
  effect: 'pure',
  help: "Sets timeouts for slow clients, overriding the server's timeouts and minimum rates. If a client sends a request body too slowly, the request fails with status code 408. If a client reads a response too slowly, the connection is closed.",
  config: options({
    read_timeout: integer(
      "Maximum time between two reads of a request body, in nanoseconds. 0 or negative = use the server's setting.",
    ),
    read_min_rate: integer(
      'Minimum transfer rate of the request body, in bytes per second. If set, `read_timeout` applies to the whole body, and each received byte extends the timeout. 0 = no minimum.',
    ),
    write_timeout: integer(
      "Maximum time for which a client may stop reading a response, in nanoseconds. 0 or negative = use the server's setting.",
    ),
    write_min_rate: integer(
      'Minimum transfer rate of the response, in bytes per second. If set, `write_timeout` applies to the whole response, and each sent byte extends the timeout. 0 = no minimum.',
    ),
    max_write_chunk: integer(
      'Number of unsent bytes that one `write_timeout` covers. If more bytes are unsent, the timeout is extended proportionally. Default: 65536.',
    ),
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

/** Returns the rule for stalled clients, or `null` if the server's rule applies. */
function ruleOf(nanoseconds?: number | null, rate?: number | null, chunk?: number | null): PaceRule | null {
  return (nanoseconds ?? 0) > 0 ? paceRule((nanoseconds as number) / 1e6, rate, chunk) : null;
}
