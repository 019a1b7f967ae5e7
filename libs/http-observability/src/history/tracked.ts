/** The history of one thing, such as an upstream: rings of short and of long steps. */
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

/** Fields of everything that is tracked, before its gauges. */
export const countedFields = [...requestFields, 'retries'] as const;

/** Counters and gauges over time. */
export class Tracked {
  readonly #resolutions: readonly Resolution[];

  /** `gauges`: how many. `before`: counters when tracking begins. */
  constructor(gauges: number, before: Counters = noCounters()) {
    this.#resolutions = kept.map(({ step, seconds }) => ({
      ring: new Ring(step * 1000, seconds / step, countedFields.length + gauges),
      gauges: new Gauges(gauges),
      before,
    }));
  }

  /** Bytes of memory of the rings. */
  get bytes(): number {
    return this.#resolutions.reduce((sum, { ring }) => sum + ring.bytes, 0);
  }

  /**
   * Takes a sample. `ended`: the length of each step that ended now, measured by the monotonic clock in seconds; `null` for
   * one that goes on.
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

  /** Reads the steps of a length. */
  read(step: Step, from: number, to: number): RingReading {
    const index = kept.findIndex((each) => each.step === step);
    return itemAt(this.#resolutions, index).ring.read(from, to);
  }
}
