/** Observes test requests: reached routes, matcher results, and the handler that ends each request. */
import type { Exchange, HttpHandler, HttpMatcher, ListPlace, PartPlace, Probe, RoutePlace } from '@sluice/http-app';
import type { Plays } from './play.ts';

/** Receives routes and matchers of a configuration and their use. */
export interface Seen {
  /** Registers a route. Returns a function that the caller calls when a request reaches the route. */
  route(place: RoutePlace): () => void;
  /** Registers a matcher. Returns a function to call with each result. */
  matcher(place: PartPlace): (verdict: boolean) => void;
}

/** The probe of one server. Requests are executed for real. */
export class TestProbe implements Probe {
  readonly rehearsal = null;
  readonly asksAll: boolean;
  readonly #plays: Plays;
  readonly #seen: Seen | null;
  readonly #routes = new WeakMap<RoutePlace, () => void>();

  /** `seen`: `null` = coverage is disabled. */
  constructor(plays: Plays, seen: Seen | null) {
    this.#plays = plays;
    this.#seen = seen;
    this.asksAll = seen !== null;
  }

  handler(inner: HttpHandler, place: PartPlace): HttpHandler {
    this.#know(place.route);
    return {
      handle: (exchange, next) => {
        const play = this.#plays.of(exchange);
        if (play === null) return inner.handle(exchange, next);
        play.arrived = true;
        const entered = play.enter(place);
        return inner.handle(exchange, (passed) => {
          entered.passedOn = true;
          return next(passed);
        });
      },
    };
  }

  matcher(inner: HttpMatcher, place: PartPlace): HttpMatcher {
    this.#know(place.route);
    const record = this.#seen?.matcher(place);
    if (record === undefined) return inner;
    const said = (verdict: boolean): boolean => {
      record(verdict);
      return verdict;
    };
    return {
      match: (exchange) => {
        const verdict = inner.match(exchange);
        return typeof verdict === 'boolean' ? said(verdict) : verdict.then(said);
      },
    };
  }

  reached(exchange: Exchange, place: RoutePlace): void {
    this.#routes.get(place)?.();
    this.#plays.of(exchange)?.reached.push(place);
  }

  exhausted(exchange: Exchange, { owner }: ListPlace): void {
    const play = owner === null ? this.#plays.of(exchange) : null;
    if (play !== null) play.arrived = true;
  }

  #know(place: RoutePlace): void {
    if (this.#seen !== null && !this.#routes.has(place)) this.#routes.set(place, this.#seen.route(place));
  }
}
