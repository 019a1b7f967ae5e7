/** Sets of requests that have one of some words, such as a method, for checks that reason about routes. */
import type { Domain } from '@sluice/http-app';

/** A request has one word, so that sets of other words exclude each other. */
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
