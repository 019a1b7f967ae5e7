/** The routes of a configuration as checks see them: what they match as sets of requests, and what their handlers do with these. */
import { isArray, isObject, own, type ConfigPath, type Json, type JsonObject } from '@sluice/base';
import { valueAt } from '@sluice/engine';
import type { LintedConfiguration } from '@sluice/registry';
import { flows, type FlowOf, type HandlerFlow, type MatcherFacts } from './flow.ts';
import { requestSet, type RequestSet } from './matcher-set.ts';

/** A list of routes. */
export interface RoutesModel {
  readonly path: ConfigPath;
  readonly routes: readonly RouteModel[];
}

/** A list within a handler. */
export interface NestedModel extends RoutesModel {
  readonly entry: 'request' | 'later';
}

/** A handler. */
export interface HandlerModel {
  /** Its name within `http.handlers`. */
  readonly name: string;
  readonly node: JsonObject;
  readonly path: ConfigPath;
  readonly flow: HandlerFlow;
  readonly lists: readonly NestedModel[];
}

/** A route. */
export interface RouteModel {
  readonly node: JsonObject;
  readonly path: ConfigPath;
  readonly group: string;
  readonly terminal: boolean;
  /** Alternatives; none: it always applies. */
  readonly sets: readonly RequestSet[];
  readonly handlers: readonly HandlerModel[];
}

/** A server. */
export interface ServerModel {
  readonly name: string;
  readonly node: JsonObject;
  readonly path: ConfigPath;
  readonly routes: RoutesModel;
  readonly errors: RoutesModel;
  readonly named: ReadonlyMap<string, RouteModel>;
}

/** What modules of whom nothing is known may do. */
const anything: HandlerFlow = { passes: 'maybe', changes: null, raises: null };

/** The servers of a configuration; worked out once for all checks. */
export function serversOf(configuration: LintedConfiguration): Promise<readonly ServerModel[]> {
  return configuration.remember(readServers);
}

async function readServers({ registry, document }: LintedConfiguration): Promise<readonly ServerModel[]> {
  const handlers = new Map<string, FlowOf>();
  const matchers = new Map<string, MatcherFacts>();
  for (const said of await Promise.all([...registry.contributions(flows).values()].map(({ load }) => load()))) {
    for (const [name, flow] of Object.entries(said.handlers ?? {})) handlers.set(name, flow);
    for (const [name, facts] of Object.entries(said.matchers ?? {})) matchers.set(name, facts);
  }
  const path = ['apps', 'http', 'servers'];
  const servers = valueAt(document, path);
  if (!isObject(servers)) return [];
  const reader = new Reader(handlers, matchers);
  return Object.entries(servers).flatMap(([name, node]) =>
    isObject(node) ? [reader.server(name, node, [...path, name])] : [],
  );
}

class Reader {
  readonly #handlers: ReadonlyMap<string, FlowOf>;
  readonly #matchers: ReadonlyMap<string, MatcherFacts>;

  constructor(handlers: ReadonlyMap<string, FlowOf>, matchers: ReadonlyMap<string, MatcherFacts>) {
    this.#handlers = handlers;
    this.#matchers = matchers;
  }

  server(name: string, node: JsonObject, path: ConfigPath): ServerModel {
    const named = own(node, 'named_routes');
    const routes = isObject(named) ? Object.entries(named) : [];
    return {
      name,
      node,
      path,
      routes: this.#list(node, path, ['routes']),
      errors: this.#list(node, path, ['errors', 'routes']),
      named: new Map(
        routes.flatMap(([key, route]) => {
          return isObject(route) ? [[key, this.#route(route, [...path, 'named_routes', key])] as const] : [];
        }),
      ),
    };
  }

  #list(node: Json, path: ConfigPath, at: ConfigPath): RoutesModel {
    const there = [...path, ...at];
    const list = valueAt(node, at);
    if (!isArray(list)) return { path: there, routes: [] };
    const routes = list.flatMap((route, index) =>
      isObject(route) ? [this.#route(route, [...there, String(index)])] : [],
    );
    return { path: there, routes };
  }

  #route(node: JsonObject, path: ConfigPath): RouteModel {
    const match = own(node, 'match');
    const handle = own(node, 'handle');
    const group = own(node, 'group');
    const handlers = isArray(handle) ? handle : [];
    return {
      node,
      path,
      group: typeof group === 'string' ? group : '',
      terminal: own(node, 'terminal') === true,
      sets: isArray(match) ? match.map((set) => requestSet(set, this.#matchers)) : [],
      handlers: handlers.flatMap((each, index) =>
        isObject(each) ? [this.#handler(each, [...path, 'handle', String(index)])] : [],
      ),
    };
  }

  #handler(node: JsonObject, path: ConfigPath): HandlerModel {
    const named = own(node, 'handler');
    const name = typeof named === 'string' ? named : '';
    const flow = this.#handlers.get(name)?.(node) ?? anything;
    const lists = (flow.lists ?? []).map(({ at, entry }) => ({ ...this.#list(node, path, at), entry }));
    return { name, node, path, flow, lists };
  }
}
