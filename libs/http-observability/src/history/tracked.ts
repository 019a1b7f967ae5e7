/** History of the server or an upstream: rings with short and long steps. */
import { itemAt } from '@sluice/base';
import { Gauges, noCounters, requestValues, retryRate, requestFields, type Counters } from './counters.ts';
import { Ring, type RingReading } from './ring.ts';

/** Step and length of each ring, in seconds. */
export const kept = [
  { step: 10, seconds: 3600 },
  { step: 60, seconds: 86_400 },
] as const;

/** Lengths of steps, in seconds. */
export type Step = (typeof kept)[number]['step'];

interface Resolution {
  readonly ring: Ring;
  readonly gauges: Gauges;
  before: Counters;
}

/** Counted fields of all tracked objects. They precede the gauges. */
export const countedFields = [...requestFields, 'retries'] as const;

/** Counters and gauges over time. */
export class Tracked {
  readonly #resolutions: readonly Resolution[];

  /** `gauges` is the number of gauges. `before` contains the counters at the start of tracking. */
  constructor(gauges: number, before: Counters = noCounters()) {
    this.#resolutions = kept.map(({ step, seconds }) => ({
      ring: new Ring(step * 1000, seconds / step, countedFields.length + gauges),
      gauges: new Gauges(gauges),
      before,
    }));
  }

  get bytes(): number {
    return this.#resolutions.reduce((sum, { ring }) => sum + ring.bytes, 0);
  }

  /**
   * Adds a sample. `ended` contains the duration of each step that ends now, in seconds on the monotonic clock; `null` for steps that
   * continue.
   */
  add(now: number, ended: readonly (number | null)[], counters: Counters, gauges: readonly number[]): void {
    for (const [index, resolution] of this.#resolutions.entries()) {
      resolution.gauges.add(gauges);
      const seconds = ended[index] ?? null;
      if (seconds === null) continue;
      const { before, ring } = resolution;
      ring.add(now, [
        ...requestValues(before, counters, seconds),
        retryRate(before, counters, seconds),
        ...resolution.gauges.take(),
      ]);
      resolution.before = counters;
    }
  }

  /** Reads steps of the given length. */
  read(step: Step, from: number, to: number): RingReading {
    const index = kept.findIndex((each) => each.step === step);
    return itemAt(this.#resolutions, index).ring.read(from, to);
  }
}
