/** Determines which directives may come next in a block. */
import { isArray, isObject, type Json } from '@sluice/base';
import { orderedName } from '../http/ordered-name.ts';
import type { Candidate } from './inverses.ts';
import type { OrderHints } from './order-hints.ts';

type Place = Pick<Candidate, 'name' | 'position'>;

/** State of a Caddyfile block during the conversion from JSON. */
export class BlockState {
  readonly #sorted: boolean;
  readonly #hints: OrderHints | null;
  /** Number of routes that contain subroutes. These routes may come from mutually exclusive directives, of which only the first match runs. */
  readonly #subroutes: number;
  #last: Place | null = null;

  /**
   * `sorted` is true if the Caddyfile adapter sorts the lines of the block. `hints` collects order hints; it is `null` if the block does
   * not depend on the directive order.
   */
  constructor(routes: readonly Json[], sorted: boolean, hints: OrderHints | null) {
    this.#sorted = sorted;
    this.#hints = hints;
    this.#subroutes = routes.filter(isSubroute).length;
  }

  /** Reports whether a directive may follow the previous directive. */
  follows({ position }: Place): boolean {
    return !this.#sorted || this.#last === null || position >= this.#last.position;
  }

  /** Reports whether a directive could have created a handler. Considers the group of the route and the position in the directive order. */
  allows(candidate: Place, grouped: boolean): boolean {
    if (!this.follows(candidate)) return false;
    const name = orderedName(candidate.name);
    if (name === 'rewrite') return grouped;
    if (name === 'handle') return grouped || this.#subroutes === 1;
    return name === 'root' || !grouped;
  }

  place(place: Place): void {
    // Sorted lines are already in the directive order, so they need no hints.
    if (this.#last !== null && !this.#sorted) this.#hints?.add(this.#last.name, place.name);
    if (place.position === Infinity) this.#hints?.addUnordered(place.name);
    this.#last = place;
  }
}

function isSubroute(route: Json): boolean {
  const handle = isObject(route) ? route['handle'] : undefined;
  return isArray(handle) && handle.some((each) => isObject(each) && each['handler'] === 'subroute');
}
