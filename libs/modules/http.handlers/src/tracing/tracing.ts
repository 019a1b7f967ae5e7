/** What the handler needs of a tracing library. */
import type { Exchange } from '@sluice/http-app';

export interface RequestSpan {
  /** Sets an attribute. */
  set(name: string, value: string): void;
  /** Ends the span with the status of the response, and with what was thrown, or `null`. */
  end(status: number, error: unknown): void;
}

/** Makes spans. One per thread; see `open.ts`. */
export interface Tracing {
  /**
   * Starts a span and makes it the one that request fields, `{http.vars.trace_id}` and `{http.vars.span_id}` name; `null`
   * if tracing is off.
   */
  start(exchange: Exchange, name: string): RequestSpan | null;
  /** Exports what is left, as far as that is quick. */
  close(): Promise<void>;
}
