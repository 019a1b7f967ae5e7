/** What the routing keeps with an exchange: the value of its slot `routing`, which all others leave alone. */
import type { Exchange } from '../exchange/exchange.ts';
import type { Next } from '../handler.ts';

/** A list of routes as a cursor sees it. */
export interface Walkable {
  /** Runs the first route after `rank` that applies. */
  after(exchange: Exchange, rank: number): void | Promise<void>;
}

/** A route list that an exchange has entered. The cursor of a server's own list is made once per configuration. */
export class Cursor {
  readonly list: Walkable;
  /** What runs when the list is exhausted. */
  readonly next: Next;
  /** The list around this one. */
  readonly outer: Cursor | null;
  /** How many lists are around it. */
  readonly depth: number;

  constructor(list: Walkable, next: Next, outer: Cursor | null) {
    this.list = list;
    this.next = next;
    this.outer = outer;
    this.depth = outer === null ? 0 : outer.depth + 1;
  }
}

/** A look-up by host and path, kept because its result often is that of the next one, too. */
export interface RememberedLookup {
  /** The index that was asked. */
  readonly index: object;
  readonly host: string;
  readonly path: string;
  /** The rank after which was looked. */
  from: number;
}

/** The state of one exchange. */
class RoutingState {
  /** The list that is being walked. */
  cursor: Cursor;
  lookup: RememberedLookup | null = null;
  /** How many routes passed the exchange on. */
  passes = 0;
  /** Names of route groups that are decided; see `Route.group`. */
  groups: string[] | null = null;

  constructor(cursor: Cursor) {
    this.cursor = cursor;
  }
}

/** The state that {@link startRouting} has put into an exchange. */
export function routingOf(exchange: Exchange): RoutingState {
  return exchange.routing as RoutingState;
}

/** Puts an exchange at the beginning of a list: the server's, its error routes, or one that a handler enters. */
export function startRouting(exchange: Exchange, cursor: Cursor): void {
  if (exchange.routing === null) exchange.routing = new RoutingState(cursor);
  else routingOf(exchange).cursor = cursor;
}
