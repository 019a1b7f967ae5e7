/** Routes as configured, with matcher sets, handlers, group and `terminal`. */
import {
  boolean,
  inlineModules,
  moduleId,
  moduleSets,
  options,
  string,
  type Context,
  type Options,
} from '@sluice/registry';
import { isObject, kindOf, type JsonArray, type JsonObject } from '@sluice/base';
import { unused, type HandlerPlace, type PlaceInRoute } from '../exchange/place.ts';
import { httpHandlers, httpMatchers, type HttpHandler, type HttpMatcher } from '../handler.ts';
import type { Next } from '../exchange/exchange.ts';
import { mentionsBody, withBody } from './body-first.ts';
import { keysOfSets, type IndexKeys } from './keys.ts';
import type { MatcherSet } from './match.ts';
import { traced, traceToken } from './trace.ts';

export const routeOptions = options({
  group: string('Route group. Only the first matching route of a group runs.'),
  match: moduleSets(
    'Matcher sets. The route applies if at least one set matches; a set matches if all its matchers match. Default: the route always applies.',
    httpMatchers,
  ),
  handle: inlineModules(
    'Handlers, in order. Each handler decides whether to call the next one.',
    httpHandlers,
    'handler',
  ),
  terminal: boolean('If this route matches, skip the routes after it.'),
});

export interface RouteMeter {
  meter(route: Next): Next;
}

/** A provisioned route. */
export interface Route {
  /** Group name; empty if the route belongs to no group. */
  readonly group: string;
  readonly terminal: boolean;
  /** Alternative matcher sets. If empty, the route always applies. */
  readonly sets: readonly MatcherSet[];
  readonly handlers: readonly HttpHandler[];
  readonly places: readonly HandlerPlace[];
  readonly matcherPlace: PlaceInRoute;
  /** Index keys, or `null` if the route must always be tested. */
  readonly keys: IndexKeys | null;
  /** True if the route's matchers use `{http.request.body}`, so the body must be buffered first. */
  readonly readsBody: boolean;
  /** Request metrics of the route; `null` if metrics are off. */
  readonly meter: RouteMeter | null;
}

/** Provisions a route in a `routes` list. */
export async function provisionRoute(node: JsonObject, context: Context): Promise<Route> {
  const config = node as Options<typeof routeOptions>;
  const sets = await loadMatcherSets(config.match ?? [], context);
  const loaded = await context.loadInlineList(httpHandlers, config.handle ?? [], 'handler', 'handle');
  const handlers = loaded.map((handler, i) => withBody(handler, config.handle?.[i]));
  const trace = context.find(traceToken);
  const where = context.where();
  return {
    group: config.group ?? '',
    terminal: config.terminal ?? false,
    sets,
    handlers: trace === undefined ? handlers : handlers.map((handler, i) => traced(handler, config.handle?.[i], trace)),
    places: placesOf(config.handle ?? [], node, where),
    matcherPlace: { module: httpMatchers.id, route: where, node },
    keys: keysOfSets(sets),
    readsBody: mentionsBody(node['match']),
    meter: null,
  };
}

function placesOf(handlers: JsonArray, node: JsonObject, route: string): HandlerPlace[] {
  return handlers.map((handler) => ({
    module: handlerId(isObject(handler) ? String(handler['handler']) : ''),
    route,
    node,
    origin: null,
    counter: unused,
  }));
}

/** Handler IDs by name. Routes share these strings to save memory. */
const handlerIds = new Map<string, string>();

function handlerId(name: string): string {
  const known = handlerIds.get(name);
  if (known !== undefined) return known;
  const id = moduleId(httpHandlers, name);
  handlerIds.set(name, id);
  return id;
}

async function loadMatcherSets(nodes: readonly (JsonObject | null)[], context: Context): Promise<MatcherSet[]> {
  const sets: MatcherSet[] = [];
  for (const [index, node] of nodes.entries()) sets.push(await loadMatcherSet(node, context, 'match', index));
  // Copy the array to its exact size. A growing array reserves room for 16 more elements, and every route keeps its array.
  return sets.slice();
}

/** Loads one matcher set; an empty set matches everything. */
export async function loadMatcherSet(
  set: JsonObject | null,
  context: Context,
  ...at: (string | number)[]
): Promise<MatcherSet> {
  if (set !== null && !isObject(set))
    throw context.error(`a matcher set must be an object of matchers, not ${kindOf(set)}`, ...at);
  const matchers = set === null ? new Map<string, HttpMatcher>() : await context.loadMap(httpMatchers, set, ...at);
  return [...matchers.values()];
}
