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
   * Returns the handler for a watched chain, built from the same instances. Required for handlers that contain routes or matchers, or that
   * send, count or store data. Called when a watched chain is built, never for ordinary requests. If absent, the watched chain uses the
   * handler itself.
   */
  watched?(watch: Watch): HttpHandler;
}

/** Passed to handlers and matchers of a watched chain; see `routing/probe.ts`. */
export interface Watch {
  /**
   * `null` for real requests. Otherwise, handlers must not send, count or store anything, and report their actions to the rehearsal
   * instead.
   */
  readonly rehearsal: Rehearsal | null;
  /** Returns the same routes, watched. `at`: path of the routes within the module's options. */
  routes<L extends RouteRunner>(list: L, ...at: readonly Segment[]): L;
  /** Returns the same matchers of a set, watched. */
  matchers(set: readonly HttpMatcher[], ...at: readonly Segment[]): readonly HttpMatcher[];
}

/** Keys with which a route list looks up routes that can match, instead of testing each route. */
export interface RouteKeys {
  /**
   * `host`: exact lowercase names, and `*.example.com` for one more label. `path`: exact lowercase cleaned paths, and `/prefix/*` for all
   * descendants.
   */
  readonly kind: 'host' | 'path';
  readonly keys: readonly string[];
}

/** Decides whether a request matches. */
export interface HttpMatcher {
  /** Returns a promise only if the matcher must wait. May throw an `HttpError`, which ends the routing. */
  match(exchange: Exchange): boolean | Promise<boolean>;
  /**
   * If the matcher only matches requests with certain keys, these keys. They are a prefilter and need not be exact; `match` is still
   * called. Absent or `null` if there is no such list.
   */
  readonly keys?: RouteKeys | null;
  /** Like {@link HttpHandler.watched}, for matchers that contain matchers. */
  watched?(watch: Watch): HttpMatcher;
}

/** Namespace `http.handlers`; inline key `handler`. */
export const httpHandlers: Namespace<HttpHandler> = namespace<HttpHandler>('http.handlers');
/** Namespace `http.matchers`: keys of matcher sets. */
export const httpMatchers: Namespace<HttpMatcher> = namespace<HttpMatcher>('http.matchers');
