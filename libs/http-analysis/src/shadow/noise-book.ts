/** Determines, for each route, which parts of its responses vary without a configuration change. */
import type { Difference } from '../behavior/types.ts';
import type { Noise } from './types.ts';

/**
 * A request for which the responses of the two configurations differ. The normal variation of responses on the request's route is not known
 * yet.
 */
export interface Suspect {
  readonly kind: string;
  readonly parts: ReadonlyMap<string, Difference>;
  /** True if the second run had the same differences. */
  readonly steady: boolean;
}

interface Example {
  readonly method: string;
  readonly url: string;
}

interface Counted {
  count: number;
  readonly example: Example;
}

/** Counts the variations between two runs of the same configuration, and the differences between the two configurations. */
export class NoiseBook {
  /** Number of requests, keyed by kind of request and part of the response. */
  readonly #own = new Map<string, Counted>();
  readonly #between = new Map<string, number>();

  /** Records that two runs of the active configuration differed in a part of the response. */
  varied(kind: string, part: string, example: Example): void {
    const key = keyOf(kind, part);
    const counted = this.#own.get(key);
    if (counted === undefined) this.#own.set(key, { count: 1, example });
    else counted.count++;
  }

  /** Records that the two configurations differed in a part of the response. */
  differed(kind: string, part: string): void {
    const key = keyOf(kind, part);
    this.#between.set(key, (this.#between.get(key) ?? 0) + 1);
  }

  /**
   * Returns the differences that normal variation does not explain. If the two responses of the active configuration differ for n requests,
   * chance alone explains about n/2 requests for which only the third response differs.
   */
  unexplained({ kind, parts }: Suspect): Difference[] {
    return [...parts].flatMap(([part, difference]) => {
      const key = keyOf(kind, part);
      const own = this.#own.get(key)?.count ?? 0;
      return own > 0 && (this.#between.get(key) ?? 0) <= 2 * own + 3 ? [] : [difference];
    });
  }

  /** Returns the parts of responses that vary, most frequent first. */
  report(): Noise[] {
    const byPart = new Map<string, Counted>();
    for (const [key, { count, example }] of this.#own) {
      const part = key.slice(key.indexOf('\n') + 1);
      const counted = byPart.get(part);
      if (counted === undefined) byPart.set(part, { count, example });
      else counted.count += count;
    }
    return [...byPart]
      .map(([part, { count, example }]) => ({ part, count, example }))
      .toSorted((a, b) => b.count - a.count);
  }
}

function keyOf(kind: string, part: string): string {
  return `${kind}\n${part}`;
}
