import type { Exchange, Next, RouteCursor, RoutingState } from '../exchange/exchange.ts';

/** Position in a server's own route list, created once per configuration. */
export class Cursor implements RouteCursor {
  readonly list: RouteCursor['list'];
  readonly next: Next;
  readonly outer: RouteCursor | null;
  readonly depth: number;

  constructor(list: RouteCursor['list'], next: Next, outer: RouteCursor | null) {
    this.list = list;
    this.next = next;
    this.outer = outer;
    this.depth = outer === null ? 0 : outer.depth + 1;
  }
}

class State implements RoutingState {
  cursor: RouteCursor;
  lookup: object | null = null;
  passes = 0;
  groups: string[] | null = null;

  constructor(cursor: RouteCursor) {
    this.cursor = cursor;
  }
}

/** Returns the routing state of an exchange that has entered a route list. */
export function routingOf(exchange: Exchange): RoutingState {
  return exchange.routing as RoutingState;
}

/** Moves an exchange to the start of a route list: the server's routes, its error routes, or a handler's nested routes. */
export function startRouting(exchange: Exchange, cursor: RouteCursor): void {
  if (exchange.routing === null) exchange.routing = new State(cursor);
  else exchange.routing.cursor = cursor;
}
