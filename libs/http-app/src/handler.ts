/** The contract of handlers and matchers, the two kinds of modules that serve requests. */
import { namespace, type Namespace } from '@sluice/registry';
import type { Exchange } from './exchange/exchange.ts';

/** Runs what comes after a handler in its chain. */
export type Next = (exchange: Exchange) => void | Promise<void>;

/**
 * Handles requests, or passes them on with `next`. A handler that does not wait returns nothing; one that waits returns a
 * promise, which settles when it and all that it called is done. Raise an `HttpError` for error routes to handle.
 */
export interface HttpHandler {
  handle(exchange: Exchange, next: Next): void | Promise<void>;
}

/** Keys by which a route list finds the routes that can match, instead of asking each. */
export interface RouteKeys {
  /**
   * `host`: exact lower-case names, and `*.example.com` for one label more. `path`: exact lower-case cleaned paths, and
   * `/prefix/*` for everything below.
   */
  readonly kind: 'host' | 'path';
  readonly keys: readonly string[];
}

/** Decides whether a request matches. */
export interface HttpMatcher {
  /** A promise only where something must be waited for. May raise an `HttpError`, which ends the routing. */
  match(exchange: Exchange): boolean | Promise<boolean>;
  /**
   * If the matcher can only match requests with one of these keys: the keys. They are a filter and need not be exact;
   * `match` is asked all the same. Absent or `null` where no such list can be given.
   */
  readonly keys?: RouteKeys | null;
}

/** `http.handlers`: inline key `handler`. */
export const httpHandlers: Namespace<HttpHandler> = namespace<HttpHandler>('http.handlers');
/** `http.matchers`: keys of matcher sets. */
export const httpMatchers: Namespace<HttpMatcher> = namespace<HttpMatcher>('http.matchers');
