/** Contracts of handlers and matchers, the two kinds of modules that serve requests. */
import { namespace, type Namespace, type Segment } from '@sluice/registry';
import type { Exchange, Next, RouteRunner } from './exchange/exchange.ts';
import type { Rehearsal } from './rehearsal.ts';

/**
 * Handles requests or passes them on with `next`. A synchronous handler returns nothing. An asynchronous handler returns a promise that
 * settles when the handler, and everything it called, is done. Throw an `HttpError` to run error routes.
 */
export interface HttpHandler {
  handle(exchange: Exchange, next: Next): void | Promise<void>;
  /**
   * Returns the handler for an observed chain, built from the same instances. Required for handlers that contain routes
   * or matchers, or that send, count or store data. If absent, the observed chain uses the handler itself.
   */
  watched?(watch: Watch): HttpHandler;
}

/** Passed to handlers and matchers of an observed chain; see `routing/probe.ts`. */
export interface Watch {
  /**
   * Set in dry runs. Handlers then must not send, count or store anything, and report their actions here instead.
   * `null` for real requests.
   */
  readonly rehearsal: Rehearsal | null;
  /** Returns the observed variant of routes. `at` is their path within the module's options. */
  routes<L extends RouteRunner>(list: L, ...at: readonly Segment[]): L;
  /** Returns the observed variants of the matchers of a set. */
  matchers(set: readonly HttpMatcher[], ...at: readonly Segment[]): readonly HttpMatcher[];
}

/** Keys by which a route list finds the routes that can match, instead of testing each route. */
export interface RouteKeys {
  /**
   * `host`: exact lowercase names, and `*.example.com` for one more label. `path`: exact lowercase cleaned paths, and
   * `/prefix/*` for all descendants.
   */
  readonly kind: 'host' | 'path';
  readonly keys: readonly string[];
}

/** Decides whether a request matches. */
export interface HttpMatcher {
  /** Returns a promise only if the matcher must wait. An `HttpError` ends the routing. */
  match(exchange: Exchange): boolean | Promise<boolean>;
  /**
   * Keys of the requests that can match; absent or `null` if any request can. They are only a prefilter: `match` is
   * still called.
   */
  readonly keys?: RouteKeys | null;
  /** Like {@link HttpHandler.watched}, for matchers that contain matchers. */
  watched?(watch: Watch): HttpMatcher;
}

/** Namespace `http.handlers`; inline key `handler`. */
export const httpHandlers: Namespace<HttpHandler> = namespace<HttpHandler>('http.handlers');
/** Namespace `http.matchers`: keys of matcher sets. */
export const httpMatchers: Namespace<HttpMatcher> = namespace<HttpMatcher>('http.matchers');
