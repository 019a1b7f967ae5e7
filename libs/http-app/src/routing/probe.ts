/**
 * A second chain of the same provisioned instances, which a probe watches: for traces, and for `sluice explain`. It is made
 * of routes in which handlers and matchers stand in wrappers, and compiled by the compiler of all routes, so that it does
 * what the first one does. Where no one watches, none of it exists.
 */
import type { ConfigPath } from '@sluice/base';
import type { Segment } from '@sluice/registry';
import type { Exchange, RouteRunner } from '../exchange/exchange.ts';
import { nowhere, type HandlerPlace } from '../exchange/place.ts';
import { httpMatchers, type HttpHandler, type HttpMatcher, type Watch } from '../handler.ts';
import type { Rehearsal } from '../rehearsal.ts';
import type { Route } from './route.ts';
import { RouteList } from './route-list.ts';

/** A list of routes that is watched. */
export interface ListPlace {
  /** Where it stands in the document: `["apps", "http", "servers", "s", "routes"]`. */
  readonly path: ConfigPath;
  /** The handler that holds it; `null` for lists of a server. */
  readonly owner: PartPlace | null;
  /** The routes as they are without a probe. */
  readonly list: RouteList;
}

/** A route that is watched. */
export interface RoutePlace {
  readonly list: ListPlace;
  /** Its number among the routes of {@link ListPlace.list}. */
  readonly index: number;
  /** Where it stands; the path of the list for one that the server itself has put there. */
  readonly path: ConfigPath;
  readonly route: Route;
}

/** A handler or matcher that is watched. */
export interface PartPlace {
  /** Where it stands. A number is a position in a matcher set, whose keys are known from the document alone. */
  readonly path: readonly Segment[];
  /** Id of the module; of a matcher its namespace alone, as names of matchers stand in the document. */
  readonly id: string;
  /** The route that it belongs to. */
  readonly route: RoutePlace;
  /** Whether it has another form for chains that are watched (`watched`). */
  readonly adapted: boolean;
}

/** Matchers are known by their namespace; their names stand in the document. */
const matcherId = httpMatchers.id;

/** Watches routes. */
export interface Probe {
  /** Where requests are rehearsed; `null` where they run for real. */
  readonly rehearsal: Rehearsal | null;
  /** Whether every matcher is asked in its turn, also of routes that an index would leave out. Absent: no. */
  readonly asksAll?: boolean;
  /** What stands instead of a handler. `inner` is the handler, in its form for chains that are watched. */
  handler(inner: HttpHandler, place: PartPlace): HttpHandler;
  /** The same of a matcher. */
  matcher(inner: HttpMatcher, place: PartPlace): HttpMatcher;
  /** Called for an exchange when a route was chosen, before its handlers run. */
  reached?(exchange: Exchange, place: RoutePlace): void;
  /** Called for an exchange when no further route of a list applies. */
  exhausted?(exchange: Exchange, place: ListPlace): void;
}

/** Where a list stands, and who holds it. */
export interface ListAt {
  readonly path: ConfigPath;
  readonly owner?: PartPlace;
  /** Whether it is one route that stands there by itself, and not an array of routes. */
  readonly single?: boolean;
}

/** The same list for a probe. */
export function watchedList(list: RouteList, probe: Probe, { path, owner, single = false }: ListAt): RouteList {
  const place: ListPlace = { path, owner: owner ?? null, list };
  const routes: Route[] = [];
  let position = 0;
  for (const route of list.routes) {
    const own = single || route.matcherPlace === nowhere ? path : [...path, String(position++)];
    routes.push(watchedRoute({ list: place, index: routes.length, path: own, route }, probe));
  }
  const told = probe.exhausted?.bind(probe);
  if (told !== undefined) routes.push(lastRoute((exchange) => told(exchange, place)));
  return RouteList.compile(
    routes,
    null,
    list.indexed && probe.asksAll !== true ? 0 : Number.POSITIVE_INFINITY,
    list.origin,
  );
}

/** The same route for a probe. */
function watchedRoute(place: RoutePlace, probe: Probe): Route {
  const { route, path } = place;
  const handlers = route.handlers.map((handler, i) =>
    watchedHandler(handler, partOf(handler, [...path, 'handle', String(i)], idOf(route.places[i]), place), probe),
  );
  const places = route.handlers.map((_, i) => route.places[i] ?? nowhere);
  const told = probe.reached?.bind(probe);
  if (told !== undefined) {
    handlers.unshift(telling((exchange) => told(exchange, place)));
    places.unshift(places[0] ?? nowhere);
  }
  const sets = route.sets.map((set, i) =>
    set.map((matcher, k) =>
      watchedMatcher(
        matcher,
        partOf(matcher, [...path, 'match', String(i), k], route.matcherPlace.module, place),
        probe,
      ),
    ),
  );
  return { ...route, handlers, places, sets, meter: probe.rehearsal === null ? route.meter : null };
}

function partOf(part: HttpHandler | HttpMatcher, path: readonly Segment[], id: string, route: RoutePlace): PartPlace {
  return { path, id, route, adapted: part.watched !== undefined };
}

function idOf(place: HandlerPlace | undefined): string {
  return place?.module ?? '';
}

function watchedHandler(handler: HttpHandler, place: PartPlace, probe: Probe): HttpHandler {
  return probe.handler(handler.watched?.(watchOf(place, probe)) ?? handler, place);
}

function watchedMatcher(matcher: HttpMatcher, place: PartPlace, probe: Probe): HttpMatcher {
  const watched = probe.matcher(matcher.watched?.(watchOf(place, probe)) ?? matcher, place);
  return matcher.keys === undefined || watched.keys === matcher.keys
    ? watched
    : { match: (exchange) => watched.match(exchange), keys: matcher.keys };
}

/** What a handler or matcher at a place gets to make its other form with. */
function watchOf(place: PartPlace, probe: Probe): Watch {
  const below = (at: readonly Segment[]): Segment[] => [...place.path, ...at.map(String)];
  return {
    rehearsal: probe.rehearsal,
    routes: <L extends RouteRunner>(list: L, ...at: readonly Segment[]): L =>
      (list instanceof RouteList ? watchedList(list, probe, { path: below(at).map(String), owner: place }) : list) as L,
    matchers: (set, ...at) =>
      set.map((matcher, i) =>
        watchedMatcher(matcher, partOf(matcher, [...below(at), i], matcherId, place.route), probe),
      ),
  };
}

/** A route for every request at the end of a list: what comes to it has passed all others. */
function lastRoute(tell: (exchange: Exchange) => void): Route {
  return {
    group: '',
    terminal: false,
    sets: [],
    handlers: [telling(tell)],
    places: [],
    matcherPlace: nowhere,
    keys: null,
    readsBody: false,
    meter: null,
  };
}

function telling(tell: (exchange: Exchange) => void): HttpHandler {
  return {
    handle: (exchange, next) => {
      tell(exchange);
      return next(exchange);
    },
  };
}
