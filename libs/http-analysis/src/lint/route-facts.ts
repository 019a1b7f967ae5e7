/**
 * Facts about routes and handlers that don't depend on their position. They are computed once per document node, and most nodes stay the
 * same when the configuration changes.
 */
import { isArray, isObject, own, type ConfigPath, type JsonObject } from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import { onceForNode, type Registry } from '@sluice/registry';
import { type FlowOf, flows, type HandlerFlow, type MatcherFacts } from '@sluice/http-app';
import { requestSet, type RequestSet } from './matcher-set.ts';

/** A node in a list. The list may also contain invalid elements. */
interface Item<T> {
  readonly index: number;
  readonly facts: T;
}

/** A list of routes inside a handler. */
export interface ListFacts {
  readonly at: ConfigPath;
  readonly entry: 'request' | 'later';
  readonly routes: readonly Item<RouteFacts>[];
}

export interface HandlerFacts {
  readonly name: string;
  readonly node: JsonObject;
  readonly flow: HandlerFlow;
  readonly lists: readonly ListFacts[];
}

export interface RouteFacts {
  readonly node: JsonObject;
  readonly group: string;
  readonly terminal: boolean;
  readonly sets: readonly RequestSet[];
  readonly handlers: readonly Item<HandlerFacts>[];
}

/** Effects of an unknown module, which may do anything. */
const anything: HandlerFlow = { passes: 'maybe', changes: null, raises: null };

/** Computes facts from the module declarations in a registry. */
export class RouteReader {
  readonly matchers: ReadonlyMap<string, MatcherFacts>;
  readonly route: (node: JsonObject) => RouteFacts;
  readonly #handler: (node: JsonObject) => HandlerFacts;

  constructor(handlers: ReadonlyMap<string, FlowOf>, matchers: ReadonlyMap<string, MatcherFacts>) {
    this.matchers = matchers;
    this.#handler = onceForNode((node) => {
      const named = own(node, 'handler');
      const name = typeof named === 'string' ? named : '';
      const flow = handlers.get(name)?.(node) ?? anything;
      const lists = (flow.lists ?? []).map(({ at, entry }) => ({ at, entry, routes: this.list(node, at) }));
      return { name, node, flow, lists };
    });
    this.route = onceForNode((node) => {
      const match = own(node, 'match');
      const group = own(node, 'group');
      return {
        node,
        group: typeof group === 'string' ? group : '',
        terminal: own(node, 'terminal') === true,
        sets: isArray(match) ? match.map((set) => requestSet(set, matchers)) : [],
        handlers: itemsOf(node, ['handle'], this.#handler),
      };
    });
  }

  list(node: JsonObject, at: ConfigPath): readonly Item<RouteFacts>[] {
    return itemsOf(node, at, this.route);
  }
}

function itemsOf<T>(node: JsonObject, at: ConfigPath, factsOf: (node: JsonObject) => T): readonly Item<T>[] {
  const list = getAt(node, at);
  const items: Item<T>[] = [];
  for (const [index, each] of isArray(list) ? list.entries() : [])
    if (isObject(each)) items.push({ index, facts: factsOf(each) });
  return items;
}

const readers = new WeakMap<Registry, { readonly count: number; readonly reader: Promise<RouteReader> }>();

/** Returns the reader for a registry. Creates a new reader if more packages have declared facts in the meantime. */
export function readerOf(registry: Registry): Promise<RouteReader> {
  const { size: count } = registry.contributions(flows);
  let known = readers.get(registry);
  if (known?.count !== count) readers.set(registry, (known = { count, reader: makeReader(registry) }));
  return known.reader;
}

async function makeReader(registry: Registry): Promise<RouteReader> {
  const handlers = new Map<string, FlowOf>();
  const matchers = new Map<string, MatcherFacts>();
  for (const said of await Promise.all([...registry.contributions(flows).values()].map(({ load }) => load()))) {
    for (const [name, flow] of Object.entries(said.handlers ?? {})) handlers.set(name, flow);
    for (const [name, facts] of Object.entries(said.matchers ?? {})) matchers.set(name, facts);
  }
  return new RouteReader(handlers, matchers);
}
