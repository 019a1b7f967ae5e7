/** Interface to tracing, independent of the OpenTelemetry SDK. */
import type { Exchange } from '@sluice/http-app';

export interface RequestSpan {
  set(name: string, value: string): void;
  end(status: number, error: unknown): void;
}

/** Creates OpenTelemetry spans. There is one instance per thread; see `open.ts`. */
export interface Tracing {
  /**
   * Starts a span. Sets the trace context in the request fields, and sets `{http.vars.trace_id}` and `{http.vars.span_id}`. Returns `null`
   * if tracing is disabled.
   */
  start(exchange: Exchange, name: string): RequestSpan | null;
  /** Exports the remaining spans and shuts down tracing. */
  close(): Promise<void>;
}
