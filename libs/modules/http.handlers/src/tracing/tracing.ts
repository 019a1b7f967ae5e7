/** Interface to the tracing SDK. */
import type { Exchange } from '@sluice/http-app';

export interface RequestSpan {
  set(name: string, value: string): void;
  end(status: number, error: unknown): void;
}

/** Creates spans. One instance per thread; see `open.ts`. */
export interface Tracing {
  /**
   * Starts a span and makes it current for request fields, `{http.vars.trace_id}` and `{http.vars.span_id}`. Returns
   * `null` if tracing is off.
   */
  start(exchange: Exchange, name: string): RequestSpan | null;
  /** Exports the remaining spans. */
  close(): Promise<void>;
}
