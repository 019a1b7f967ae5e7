/** Implements tracing with the OpenTelemetry SDK. Only this file imports the SDK. */
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
  type TextMapPropagator,
  type Tracer,
} from '@opentelemetry/api';
import { createOtlpNetworkExportDelegate, OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { convertLegacyHttpOptions, createOtlpHttpExporterMetrics } from '@opentelemetry/otlp-exporter-base/node-http';
import { ProtobufTraceSerializer, TraceExporterMetricsHelper } from '@opentelemetry/otlp-transformer';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, ConsoleSpanExporter, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import type { Exchange } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { messageOf, type Logger } from '@sluice/base';
import { requestAttributes } from './attributes.ts';
import { listOf, numberOf, samplerOf, spanLimitsOf, type Environment } from './environment.ts';
import { LengthTransport } from './export-transport.ts';
import type { RequestSpan, Tracing } from './tracing.ts';

/** Maximum time for the final export when tracing shuts down, in milliseconds. */
const closingTime = 5000;

const off: Tracing = { start: () => null, close: () => Promise.resolve() };

/** Sets up tracing from OpenTelemetry's environment variables. */
export function openTracing(environment: Environment, log: Logger): Tracing {
  if (environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return off;
  const exporter = exporterOf(environment, log);
  const provider = new TracerProvider({
    sampler: samplerOf(environment, log),
    spanLimits: spanLimitsOf(environment),
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'sluice', 'webengine.name': 'Sluice' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: exporter === null ? [] : [new BatchSpanProcessor({ exporter, ...batchOf(environment) })],
  });
  return new SdkTracing(provider, propagatorOf(environment, log));
}

function exporterOf(environment: Environment, log: Logger): SpanExporter | null {
  const [kind = 'otlp'] = listOf(environment, 'OTEL_TRACES_EXPORTER');
  if (kind === 'none') return null;
  if (kind === 'console') return new ConsoleSpanExporter();
  const protocol =
    environment['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ?? environment['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? 'http/protobuf';
  if (kind !== 'otlp' || protocol !== 'http/protobuf')
    log.warn('unsupported exporter; exporting spans over OTLP (http/protobuf)', {
      exporter: kind,
      protocol,
    });
  return collectorExporter();
}

/** Returns the SDK's exporter, which uses {@link LengthTransport}. */
function collectorExporter(): SpanExporter {
  const settings = convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', { 'Content-Type': 'application/x-protobuf' });
  const kind = 'otlp_http_span_exporter';
  const metrics = createOtlpHttpExporterMetrics(kind, TraceExporterMetricsHelper, settings.url, undefined);
  const transport = new LengthTransport(settings);
  return new OTLPExporterBase(createOtlpNetworkExportDelegate(settings, ProtobufTraceSerializer, metrics, transport));
}

function batchOf(environment: Environment): Readonly<Record<string, number>> {
  return {
    ...numberOf(environment, 'OTEL_BSP_SCHEDULE_DELAY', 'scheduledDelayMillis'),
    ...numberOf(environment, 'OTEL_BSP_EXPORT_TIMEOUT', 'exportTimeoutMillis'),
    ...numberOf(environment, 'OTEL_BSP_MAX_QUEUE_SIZE', 'maxQueueSize'),
    ...numberOf(environment, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 'maxExportBatchSize'),
  };
}

function propagatorOf(environment: Environment, log: Logger): TextMapPropagator {
  const named = listOf(environment, 'OTEL_PROPAGATORS');
  const propagators: TextMapPropagator[] = [];
  for (const name of named.length === 0 ? ['tracecontext', 'baggage'] : named) {
    if (name === 'tracecontext') propagators.push(new W3CTraceContextPropagator());
    else if (name === 'baggage') propagators.push(new W3CBaggagePropagator());
    else if (name !== 'none') log.warn('unsupported propagator in OTEL_PROPAGATORS', { propagator: name });
  }
  return new CompositePropagator({ propagators });
}

const fields = {
  get: (headers: HeaderMap, name: string): string | undefined => headers.joined(name.toLowerCase()),
  keys: (headers: HeaderMap): string[] => [...headers.names],
  set: (headers: HeaderMap, name: string, value: string): void => headers.set(name.toLowerCase(), value),
};

class SdkTracing implements Tracing {
  readonly #provider: TracerProvider;
  readonly #propagator: TextMapPropagator;
  readonly #tracer: Tracer;

  constructor(provider: TracerProvider, propagator: TextMapPropagator) {
    this.#provider = provider;
    this.#propagator = propagator;
    this.#tracer = provider.getTracer('sluice');
  }

  start(exchange: Exchange, name: string): RequestSpan {
    const { headers } = exchange;
    const parent = this.#propagator.extract(ROOT_CONTEXT, headers, fields);
    const span = this.#tracer.startSpan(
      name,
      { kind: SpanKind.SERVER, attributes: requestAttributes(exchange) },
      parent,
    );
    this.#propagator.inject(trace.setSpan(parent, span), headers, fields);
    const { traceId, spanId } = span.spanContext();
    exchange.setVariable('trace_id', traceId);
    exchange.setVariable('span_id', spanId);
    exchange.addLogField('traceID', traceId);
    exchange.addLogField('spanID', spanId);
    return new SdkSpan(span);
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, closingTime);
    });
    // An unreachable collector must not delay shutdown.
    await Promise.race([this.#provider.shutdown().catch(() => {}), late]);
    clearTimeout(timer);
  }
}

class SdkSpan implements RequestSpan {
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
  }

  set(name: string, value: string): void {
    this.#span.setAttribute(name, value);
  }

  end(status: number, error: unknown): void {
    const span = this.#span;
    span.setAttribute('http.response.status_code', status);
    if (status >= 500)
      span.setStatus({ code: SpanStatusCode.ERROR, ...(error === null ? {} : { message: messageOf(error) }) });
    if (error !== null) span.recordException(error instanceof Error ? error : messageOf(error));
    span.end();
  }
}
