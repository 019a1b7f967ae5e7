/** Observes test requests: the routes they reach, matcher results, and the handler that ends each request. */
import {
  AbortError,
  type Exchange,
  type HttpHandler,
  type HttpMatcher,
  type ListPlace,
  type PartPlace,
  type Probe,
  type RoutePlace,
} from '@sluice/http-app';
import type { Plays } from './play.ts';

/** Collects a configuration's routes and matchers for coverage, and records their use. */
export interface Seen {
  /** Registers a route. Returns a function that must be called when a request reaches the route. */
  route(place: RoutePlace): () => void;
  /** Registers a matcher. Returns a function that must be called with each of the matcher's results. */
  matcher(place: PartPlace): (verdict: boolean) => void;
}

/** Decides which handlers and matchers may run during tests. */
export interface TestGuard {
  /**
   * Returns a check for a handler or matcher. For each request, the check returns the reason why the handler or matcher must not run, or
   * `null` if it may run. If the handler or matcher may always run, returns `null` instead of a check.
   */
  rejects(place: PartPlace): ((exchange: Exchange) => string | null) | null;
}

/** Probe in a server under test. Handlers and matchers run as usual, unless the guard rejects them. */
export class TestProbe implements Probe {
  readonly rehearsal = null;
  readonly asksAll: boolean;
  readonly #plays: Plays;
  readonly #seen: Seen | null;
  readonly #routes = new WeakMap<RoutePlace, () => void>();

  readonly #guard: TestGuard | null;

  /** `seen` is `null` if coverage is disabled. */
  constructor(plays: Plays, seen: Seen | null, guard: TestGuard | null) {
    this.#guard = guard;
    this.#plays = plays;
    this.#seen = seen;
    this.asksAll = seen !== null;
  }

  handler(inner: HttpHandler, place: PartPlace): HttpHandler {
    this.#know(place.route);
    const rejects = this.#guard?.rejects(place) ?? null;
    return {
      handle: (exchange, next) => {
        if (rejects !== null) this.#check(exchange, rejects(exchange));
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
    const rejects = this.#guard?.rejects(place) ?? null;
    const guarded: HttpMatcher =
      rejects === null
        ? inner
        : {
            match: (exchange) => {
              this.#check(exchange, rejects(exchange));
              return inner.match(exchange);
            },
          };
    const record = this.#seen?.matcher(place);
    if (record === undefined) return guarded;
    const said = (verdict: boolean): boolean => {
      record(verdict);
      return verdict;
    };
    return {
      match: (exchange) => {
        const verdict = guarded.match(exchange);
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

  #check(exchange: Exchange, reason: string | null): void {
    if (reason === null) return;
    const play = this.#plays.of(exchange);
    if (play !== null) play.rejected ??= reason;
    throw new AbortError(reason);
  }

  #know(place: RoutePlace): void {
    if (this.#seen !== null && !this.#routes.has(place)) this.#routes.set(place, this.#seen.route(place));
  }
}
