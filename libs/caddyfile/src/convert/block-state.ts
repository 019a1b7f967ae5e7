/** Decides which directives a block can have next. */
import { isArray, isObject, type Json } from '@sluice/base';
import { orderedName } from '../http/ordered-name.ts';
import type { Candidate } from './inverses.ts';
import type { OrderHints } from './order-hints.ts';

type Place = Pick<Candidate, 'name' | 'position'>;

/** Tracks a block while it is written. */
export class BlockState {
  readonly #order: OrderHints | 'sorted' | null;
  /** Number of routes that could be directives of which only the first match runs. */
  readonly #subroutes: number;
  #last: Place | null = null;

  /** `order`: `sorted` if parsing sorts the lines, hints if it should but doesn't; otherwise `null`. */
  constructor(routes: readonly Json[], order: OrderHints | 'sorted' | null) {
    this.#order = order;
    this.#subroutes = routes.filter(isSubroute).length;
  }

  /** Reports whether a directive can follow the previous one. */
  follows({ position }: Place): boolean {
    return this.#order !== 'sorted' || this.#last === null || position >= this.#last.position;
  }

  /** Reports whether a directive may have created a handler, judging by group and position. */
  allows(candidate: Place, grouped: boolean): boolean {
    if (!this.follows(candidate)) return false;
    const name = orderedName(candidate.name);
    if (name === 'rewrite') return grouped;
    if (name === 'handle') return grouped || this.#subroutes === 1;
    return name === 'root' || !grouped;
  }

  place(place: Place): void {
    if (this.#last !== null && typeof this.#order === 'object') this.#order?.add(this.#last.name, place.name);
    this.#last = place;
  }
}

function isSubroute(route: Json): boolean {
  const handle = isObject(route) ? route['handle'] : undefined;
  return isArray(handle) && handle.some((each) => isObject(each) && each['handler'] === 'subroute');
}
