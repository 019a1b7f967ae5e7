/** Watches the requests of cases: which routes they reach, what matchers say, and which handler ends them. */
import type { Exchange, HttpHandler, HttpMatcher, ListPlace, PartPlace, Probe, RoutePlace } from '@sluice/http-app';
import type { Plays } from './play.ts';

/** Told of what routes and matchers did. */
export interface Seen {
  reached(place: RoutePlace): void;
  matched(place: PartPlace, verdict: boolean): void;
}

/** The probe of one server. Requests run for real. */
export class TestProbe implements Probe {
  readonly rehearsal = null;
  readonly #plays: Plays;
  readonly #seen: Seen;

  constructor(plays: Plays, seen: Seen) {
    this.#plays = plays;
    this.#seen = seen;
  }

  handler(inner: HttpHandler, place: PartPlace): HttpHandler {
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
    const said = (verdict: boolean): boolean => {
      this.#seen.matched(place, verdict);
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
    this.#seen.reached(place);
    this.#plays.of(exchange)?.reached.push(place);
  }

  exhausted(exchange: Exchange, { owner }: ListPlace): void {
    const play = owner === null ? this.#plays.of(exchange) : null;
    if (play !== null) play.arrived = true;
  }
}
