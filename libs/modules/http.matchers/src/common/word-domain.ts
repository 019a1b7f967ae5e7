/** Sets of requests described by one of several words, for example methods. Used in static checks of routes. */
import type { Domain } from '@sluice/http-app';

/** A request has exactly one word, so disjoint sets exclude each other. */
export class Words implements Domain {
  readonly keys: readonly string[];
  readonly #words: ReadonlySet<string>;

  constructor(words: readonly string[]) {
    this.keys = words;
    this.#words = new Set(words);
  }

  get seeks(): readonly string[] {
    return this.keys.slice(0, 1);
  }

  get isEmpty(): boolean {
    return this.keys.length === 0;
  }

  covers(other: Domain): boolean {
    return other instanceof Words && other.keys.every((word) => this.#words.has(word));
  }

  excludes(other: Domain): boolean {
    return other instanceof Words && !other.keys.some((word) => this.#words.has(word));
  }
}
