/** History of the server or one upstream: one ring with short steps and one with long steps. */
import { itemAt } from '@sluice/base';
import { Gauges, noCounters, requestValues, retryRate, requestFields, type Counters } from './counters.ts';
import { Ring, type RingReading } from './ring.ts';

/** Step length and covered range of each ring, in seconds. */
export const kept = [
  { step: 10, seconds: 3600 },
  { step: 60, seconds: 86_400 },
] as const;

/** Step lengths in seconds. */
export type Step = (typeof kept)[number]['step'];

interface Resolution {
  readonly ring: Ring;
  readonly gauges: Gauges;
  before: Counters;
}

/** Fields based on counters, for the server and all upstreams. They precede the gauges. */
export const countedFields = [...requestFields, 'retries'] as const;

/** History of counters and gauges. */
export class Tracked {
  readonly #resolutions: readonly Resolution[];

  /** `gauges` is the number of gauges. `before` contains the counter values at the time when tracking starts. */
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
   * Adds a sample. `ended` contains the duration of each step that ends now, in seconds on the monotonic clock. `null` means that the step
   * continues.
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

  /** Reads the steps with a given length. */
  read(step: Step, from: number, to: number): RingReading {
    const index = kept.findIndex((each) => each.step === step);
    return itemAt(this.#resolutions, index).ring.read(from, to);
  }
}
