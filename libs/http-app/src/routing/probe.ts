/**
 * An observed chain: a second handler chain over the same module instances, for traces and `sluice explain`. Its handlers and matchers are
 * wrapped. The same compiler builds both chains, so they behave alike. The observed chain exists only while a probe is active.
 */
import type { ConfigPath } from '@sluice/base';
import type { Segment } from '@sluice/registry';
import type { Exchange, RouteRunner } from '../exchange/exchange.ts';
import { nowhere, type HandlerPlace } from '../exchange/place.ts';
import { httpMatchers, type HttpHandler, type HttpMatcher, type Watch } from '../handler.ts';
import type { Rehearsal } from '../rehearsal.ts';
import type { Route } from './route.ts';
import { RouteList } from './route-list.ts';

/** Position of an observed route list. */
export interface ListPlace {
  /** Path in the configuration document: `["apps", "http", "servers", "s", "routes"]`. */
  readonly path: ConfigPath;
  /** Handler that contains the list; `null` for a server's top-level lists. */
  readonly owner: PartPlace | null;
  /** The original route list, which is not observed. */
  readonly list: RouteList;
}

/** A watched route. */
export interface RoutePlace {
  readonly list: ListPlace;
  readonly index: number;
  /** Path in the configuration document. For a route that the server inserted, this is the path of the list. */
  readonly path: ConfigPath;
  readonly route: Route;
}

export interface PartPlace {
  /**
   * Path in the configuration document. A number in the path is the index of a matcher within its set, because matchers don't store their
   * keys.
   */
  readonly path: readonly Segment[];
  /** Module ID of a handler. For a matcher, contains only the namespace. */
  readonly id: string;
  readonly route: RoutePlace;
  /** True if the handler has a variant for observed handler chains. */
  readonly adapted: boolean;
}

/** Matchers are identified by their namespace. Only the configuration document contains their names. */
const matcherId = httpMatchers.id;

export interface Probe {
  /** Recorder of side effects in simulated requests; `null` for real requests. */
  readonly rehearsal: Rehearsal | null;
  /** True to evaluate all matchers, including those of routes that the route index would skip. Default: false. */
  readonly asksAll?: boolean;
  /** Returns the wrapper to use for a handler. `inner` is the handler's observed variant. */
  handler(inner: HttpHandler, place: PartPlace): HttpHandler;
  matcher(inner: HttpMatcher, place: PartPlace): HttpMatcher;
  /** Called when an exchange enters a route, before the route's handlers run. */
  reached?(exchange: Exchange, place: RoutePlace): void;
  /** Called when no more routes of a list apply to an exchange. */
  exhausted?(exchange: Exchange, place: ListPlace): void;
}

export interface ListAt {
  readonly path: ConfigPath;
  readonly owner?: PartPlace;
  /** True if the configuration contains a single route rather than an array of routes. */
  readonly single?: boolean;
}

export function watchedList(list: RouteList, probe: Probe, { path, owner, single = false }: ListAt): RouteList {
  const place: ListPlace = { path, owner: owner ?? null, list };
  const routes: Route[] = [];
  let position = 0;
  for (const route of list.routes) {
    const own = single || route.matcherPlace === nowhere ? path : [...path, String(position++)];
    routes.push(watchedRoute({ list: place, index: routes.length, path: own, route }, probe));
  }
  const notify = probe.exhausted?.bind(probe);
  if (notify !== undefined) routes.push(lastRoute((exchange) => notify(exchange, place)));
  return RouteList.compile(
    routes,
    null,
    list.indexed && probe.asksAll !== true ? 0 : Number.POSITIVE_INFINITY,
    list.origin,
  );
}

function watchedRoute(place: RoutePlace, probe: Probe): Route {
  const { route, path } = place;
  const handlers = route.handlers.map((handler, i) =>
    watchedHandler(handler, partOf(handler, [...path, 'handle', String(i)], idOf(route.places[i]), place), probe),
  );
  const places = route.handlers.map((_, i) => route.places[i] ?? nowhere);
  const notify = probe.reached?.bind(probe);
  if (notify !== undefined) {
    handlers.unshift(notifying((exchange) => notify(exchange, place)));
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

/** Returns the argument for the `watched` method of a handler or matcher. */
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

/** Creates a catch-all route at the end of a list. Requests reach this route if no earlier terminal route handled them. */
function lastRoute(notify: (exchange: Exchange) => void): Route {
  return {
    group: '',
    terminal: false,
    sets: [],
    handlers: [notifying(notify)],
    places: [],
    matcherPlace: nowhere,
    keys: null,
    readsBody: false,
    meter: null,
  };
}

function notifying(notify: (exchange: Exchange) => void): HttpHandler {
  return {
    handle: (exchange, next) => {
      notify(exchange);
      return next(exchange);
    },
  };
}
