/** The contract of handlers and matchers, the two kinds of modules that serve requests. */
import { namespace, type Namespace, type Segment } from '@sluice/registry';
import type { Exchange, Next, RouteRunner } from './exchange/exchange.ts';
import type { Rehearsal } from './rehearsal.ts';

/**
 * Handles requests, or passes them on with `next`. A handler that does not wait returns nothing; one that waits returns a
 * promise, which settles when it and all that it called is done. Raise an `HttpError` for error routes to handle.
 */
export interface HttpHandler {
  handle(exchange: Exchange, next: Next): void | Promise<void>;
  /**
   * For handlers that hold routes or matchers, or that send, count or keep anything: the same handler for a chain that is
   * watched, made of the same instances. Called when such a chain is made, never for requests that run as usual. Absent:
   * the handler itself stands in that chain.
   */
  watched?(watch: Watch): HttpHandler;
}

/** What is given to handlers and matchers of a chain that is watched; see `routing/probe.ts`. */
export interface Watch {
  /** `null` where requests run for real. Else nothing may be sent, counted or kept: this is told of it instead of that. */
  readonly rehearsal: Rehearsal | null;
  /** The same routes, watched. `at`: where they stand in the options of the module. */
  routes<L extends RouteRunner>(list: L, ...at: readonly Segment[]): L;
  /** The same matchers of a set, watched. */
  matchers(set: readonly HttpMatcher[], ...at: readonly Segment[]): readonly HttpMatcher[];
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
  /** As {@link HttpHandler.watched}, for matchers that hold matchers. */
  watched?(watch: Watch): HttpMatcher;
}

/** `http.handlers`: inline key `handler`. */
export const httpHandlers: Namespace<HttpHandler> = namespace<HttpHandler>('http.handlers');
/** `http.matchers`: keys of matcher sets. */
export const httpMatchers: Namespace<HttpMatcher> = namespace<HttpMatcher>('http.matchers');
