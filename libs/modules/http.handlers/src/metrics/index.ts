/** The module `http.handlers.metrics`, which responds with the server's metrics in Prometheus format. */
import { httpHandlers, type HttpHandler } from '@sluice/http-app';
import { boolean, defineModule, options } from '@sluice/registry';
import { metricsText } from '@sluice/telemetry';
import { threadBusToken } from '@sluice/threads';

export const metricsModule = defineModule(httpHandlers, {
  name: 'metrics',
  effect: 'reads',
  help: "Responds with the server's metrics in Prometheus or OpenMetrics text format.",
  config: options({
    disable_openmetrics: boolean('Respond in Prometheus format even if the client accepts OpenMetrics.'),
  }),
  provision(config, context): HttpHandler {
    const bus = context.use(threadBusToken);
    const allowOpenMetrics = config.disable_openmetrics !== true;
    return {
      handle: async ({ headers, response }) => {
        const { contentType, text } = await metricsText(bus, headers.joined('accept'), allowOpenMetrics);
        response.headers.set('content-type', contentType);
        response.end(text);
      },
    };
  },
});
