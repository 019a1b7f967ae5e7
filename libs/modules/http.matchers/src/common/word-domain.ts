/** Request sets defined by a list of words, such as methods. Used in static checks of routes. */
import type { Domain } from '@sluice/http-app';

/** Request set for a property that has exactly one value per request. Sets without common words are therefore disjoint. */
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
