/** Interfaces of handlers and matchers, the two kinds of modules that serve requests. */
import { namespace, type Namespace, type Segment } from '@sluice/registry';
import type { Exchange, Next, RouteRunner } from './exchange/exchange.ts';
import type { Rehearsal } from './rehearsal.ts';

/**
 * Handles requests, or passes them on by calling `next`. A synchronous handler returns nothing. An asynchronous handler returns a promise,
 * which settles when the handler and everything that it called are done. Throw an `HttpError` to run error routes.
 */
export interface HttpHandler {
  handle(exchange: Exchange, next: Next): void | Promise<void>;
  /**
   * Returns the variant of this handler for an observed handler chain, which uses the same module instances. Required for handlers that
   * contain routes or matchers, or that send, count, or store data. If this method is missing, the observed chain uses the handler itself.
   */
  watched?(watch: Watch): HttpHandler;
}

/** Functions that handlers and matchers use to create their observed variants; see `routing/probe.ts`. */
export interface Watch {
  /**
   * Set in dry runs. In a dry run, handlers must not send, count, or store anything, but must report their actions to this object. `null`
   * for real requests.
   */
  readonly rehearsal: Rehearsal | null;
  /** Returns the observed variant of a route list. `at` is its path within the module's options. */
  routes<L extends RouteRunner>(list: L, ...at: readonly Segment[]): L;
  /** Returns the observed variants of the matchers in a set. */
  matchers(set: readonly HttpMatcher[], ...at: readonly Segment[]): readonly HttpMatcher[];
}

/** Index keys of a matcher. A route list uses them to find the routes that may match, without testing each route. */
export interface RouteKeys {
  /**
   * `host`: exact lowercase names, and `*.example.com` for names that have one additional label. `path`: exact lowercase cleaned paths, and
   * `/prefix/*` for all paths below the prefix.
   */
  readonly kind: 'host' | 'path';
  readonly keys: readonly string[];
}

/** Determines whether a request matches. */
export interface HttpMatcher {
  /** Reports whether the request matches. Returns a promise only if the matcher must wait. If it throws an `HttpError`, routing stops. */
  match(exchange: Exchange): boolean | Promise<boolean>;
  /**
   * Keys of the requests that may match. Missing or `null` if any request may match. The keys are only a prefilter: `match` is still
   * called.
   */
  readonly keys?: RouteKeys | null;
  /** Returns the matcher for an observed chain, like {@link HttpHandler.watched}. Required for matchers that contain other matchers. */
  watched?(watch: Watch): HttpMatcher;
}

/** Module namespace `http.handlers`, with the inline key `handler`. */
export const httpHandlers: Namespace<HttpHandler> = namespace<HttpHandler>('http.handlers');
/** Module namespace `http.matchers`. The keys of matcher sets are the module names. */
export const httpMatchers: Namespace<HttpMatcher> = namespace<HttpMatcher>('http.matchers');
