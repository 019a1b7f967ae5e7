/** Learns which parts of responses vary by themselves, per route. */
import type { Difference } from '../behavior/types.ts';
import type { Noise } from './types.ts';

/** A request with a difference, until the variation of its route is known. */
export interface Suspect {
  readonly kind: string;
  readonly parts: ReadonlyMap<string, Difference>;
  /** True if the second run showed the same differences. */
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

/** Counts variations of a configuration with itself, and differences between two configurations. */
export class NoiseBook {
  /** Number of requests by kind and part. */
  readonly #own = new Map<string, Counted>();
  readonly #between = new Map<string, number>();

  /** Records that two runs of the active configuration differed in a part. */
  varied(kind: string, part: string, example: Example): void {
    const key = keyOf(kind, part);
    const counted = this.#own.get(key);
    if (counted === undefined) this.#own.set(key, { count: 1, example });
    else counted.count++;
  }

  /** Records that the configurations differed in a part. */
  differed(kind: string, part: string): void {
    const key = keyOf(kind, part);
    this.#between.set(key, (this.#between.get(key) ?? 0) + 1);
  }

  /**
   * Returns the differences that variation does not explain. If responses of one configuration vary, about half as many
   * pairs of equal responses are expected to differ from a third one by chance.
   */
  unexplained({ kind, parts }: Suspect): Difference[] {
    return [...parts].flatMap(([part, difference]) => {
      const key = keyOf(kind, part);
      const own = this.#own.get(key)?.count ?? 0;
      return own > 0 && (this.#between.get(key) ?? 0) <= 2 * own + 3 ? [] : [difference];
    });
  }

  /** Returns the variable parts, most frequent first. */
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
