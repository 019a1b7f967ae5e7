/** Model of routes together with their positions in the document. Paths are computed on demand, because there are thousands of positions. */
import type { ConfigPath } from '@sluice/base';
import type { HandlerModel, NestedModel, RouteModel, RoutesModel } from './model.ts';
import type { HandlerFacts, ListFacts, RouteFacts } from './route-facts.ts';

/** Position of a node, relative to its parent. */
export class Place {
  readonly #around: Place | null;
  readonly #at: ConfigPath;
  #path: ConfigPath | null = null;

  constructor(around: Place | null, at: ConfigPath) {
    this.#around = around;
    this.#at = at;
  }

  get path(): ConfigPath {
    return (this.#path ??= this.#around === null ? this.#at : [...this.#around.path, ...this.#at]);
  }
}

export class PlacedRoute implements RouteModel {
  readonly node: RouteModel['node'];
  readonly group: string;
  readonly terminal: boolean;
  readonly sets: RouteModel['sets'];
  readonly handlers: readonly HandlerModel[];
  readonly #place: Place;

  constructor(facts: RouteFacts, place: Place) {
    this.node = facts.node;
    this.group = facts.group;
    this.terminal = facts.terminal;
    this.sets = facts.sets;
    this.handlers = facts.handlers.map(({ index, facts: each }) => new PlacedHandler(each, place, index));
    this.#place = place;
  }

  get path(): ConfigPath {
    return this.#place.path;
  }
}

class PlacedHandler implements HandlerModel {
  readonly name: string;
  readonly node: HandlerModel['node'];
  readonly flow: HandlerModel['flow'];
  readonly lists: readonly NestedModel[];
  readonly #route: Place;
  readonly #index: number;

  constructor({ name, node, flow, lists }: HandlerFacts, route: Place, index: number) {
    this.name = name;
    this.node = node;
    this.flow = flow;
    this.#route = route;
    this.#index = index;
    this.lists = lists.length === 0 ? none : lists.map((list) => new PlacedList(list, new Place(this.#place, list.at)));
  }

  get path(): ConfigPath {
    return this.#place.path;
  }

  get #place(): Place {
    return new Place(this.#route, ['handle', String(this.#index)]);
  }
}

const none: readonly never[] = [];

export class PlacedList implements NestedModel {
  readonly entry: NestedModel['entry'];
  readonly routes: RoutesModel['routes'];
  readonly #place: Place;

  constructor({ routes, entry }: Pick<ListFacts, 'routes' | 'entry'>, place: Place) {
    this.entry = entry;
    this.routes = routes.map(({ index, facts }) => new PlacedRoute(facts, new Place(place, [String(index)])));
    this.#place = place;
  }

  get path(): ConfigPath {
    return this.#place.path;
  }
}
