/** The place of an exchange in the route lists that it walks. */
import type { Next } from '../handler.ts';
import type { RouteList } from './route-list.ts';

/** A route list that an exchange has entered. The cursor of a server's own list is made once per configuration. */
export class Cursor {
  readonly list: RouteList;
  /** What runs when the list is exhausted. */
  readonly next: Next;
  /** The list around this one. */
  readonly outer: Cursor | null;
  /** How many lists are around it. */
  readonly depth: number;

  constructor(list: RouteList, next: Next, outer: Cursor | null) {
    this.list = list;
    this.next = next;
    this.outer = outer;
    this.depth = outer === null ? 0 : outer.depth + 1;
  }
}
