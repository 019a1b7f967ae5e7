/** `http.handlers.tracing`: records an OpenTelemetry span for each request. */
import {
  compileText,
  httpHandlers,
  statusOf,
  type Exchange,
  type HttpHandler,
  type HttpTemplate,
  type Next,
  type Watch,
} from '@sluice/http-app';
import { defineModule, map, options, ResourcePool, string, text } from '@sluice/registry';
import type { RequestSpan, Tracing } from './tracing.ts';

/** Tracing instances, one per thread. Kept across configuration reloads. */
const tracings = new ResourcePool<Tracing>();

export const tracingModule = defineModule(httpHandlers, {
  name: 'tracing',
  effect: 'consumes',
  help: "Creates an OpenTelemetry span for each request, as a child of the span in the request's `traceparent` header field. Later handlers propagate the new span. Spans are exported over OTLP (http/protobuf), as configured by the environment variables OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER and others.",
  config: options({
    span: string('Span name. May contain placeholders. Default: handler.'),
    span_attributes: map(
      'Span attributes. Values may contain placeholders, which are evaluated after the later handlers have run.',
      text(),
    ),
  }),
  async provision(config, context): Promise<HttpHandler> {
    // Threads without traffic need no exporter. Skip loading the SDK, which is slow.
    if (!context.roles.traffic) return untraced;
    const { log } = context;
    const tracing = await context.acquire(tracings, '', async () =>
      (await import('./open.ts')).openTracing(process.env, log),
    );
    const name = config.span ?? '';
    const attributes = Object.entries(config.span_attributes ?? {});
    return new Traced(
      tracing,
      compileText(name === '' ? 'handler' : name, 'empty'),
      attributes.map(([key, value]) => [key, compileText(value, 'empty')] as const),
    );
  },
});

/** Handler that does not create spans, for dry runs and for threads without traffic. */
const untraced: HttpHandler = {
  handle: (exchange, next) => next(exchange),
  watched: () => untraced,
};

class Traced implements HttpHandler {
  readonly #tracing: Tracing;
  readonly #name: HttpTemplate;
  readonly #attributes: readonly (readonly [string, HttpTemplate])[];

  constructor(tracing: Tracing, name: HttpTemplate, attributes: readonly (readonly [string, HttpTemplate])[]) {
    this.#tracing = tracing;
    this.#name = name;
    this.#attributes = attributes;
  }

  watched({ rehearsal }: Watch): HttpHandler {
    return rehearsal === null ? this : untraced;
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    const span = this.#tracing.start(exchange, this.#name.expand(exchange));
    if (span === null) return next(exchange);
    let pending: void | Promise<void>;
    try {
      pending = next(exchange);
    } catch (error) {
      this.#end(span, exchange, error);
      throw error;
    }
    if (pending === undefined) return this.#end(span, exchange, null);
    return pending.then(
      () => this.#end(span, exchange, null),
      (error: unknown) => {
        this.#end(span, exchange, error);
        throw error;
      },
    );
  }

  #end(span: RequestSpan, exchange: Exchange, error: unknown): void {
    for (const [key, value] of this.#attributes) span.set(key, value.expand(exchange));
    // After an error, response filters of failed handlers may still be installed. Read the status from the exchange's writer.
    const { status } = error === null ? exchange.response : exchange.writer;
    if (error !== null) span.end(status === 0 ? statusOf(error) : status, error);
    else span.end(status === 0 ? 200 : status, null);
  }
}
