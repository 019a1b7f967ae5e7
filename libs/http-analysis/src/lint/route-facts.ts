/**
 * What is known of routes and handlers by themselves, wherever they stand: worked out once for each node of the document, as
 * most of a document stays when it is changed.
 */
import { isArray, isObject, own, type ConfigPath, type JsonObject } from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import { onceForNode, type Registry } from '@sluice/registry';
import { type FlowOf, flows, type HandlerFlow, type MatcherFacts } from '@sluice/http-app';
import { requestSet, type RequestSet } from './matcher-set.ts';

/** A node in a list, which may have others that are not what belongs there. */
interface Item<T> {
  readonly index: number;
  readonly facts: T;
}

/** A list of routes within a handler. */
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

/** What modules of whom nothing is known may do. */
const anything: HandlerFlow = { passes: 'maybe', changes: null, raises: null };

/** Works facts out by what the modules of a registry say of themselves. */
export class RouteReader {
  /** Facts of matchers by their names. */
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

/** The reader of a registry. It goes on as long as no more packages say something of their modules. */
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
