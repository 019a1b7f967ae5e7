/** Recent values at a fixed step length, in memory of fixed size. */
import { floatAt } from '@sluice/base';

/** Times and values read from a ring. */
export interface RingReading {
  /** Start time of the first step, in milliseconds since 1970. */
  readonly from: number;
  /** Values by field. `null` marks a step without a sample. */
  readonly series: readonly (readonly (number | null)[])[];
}

/** A ring buffer of steps with one number per field. */
export class Ring {
  readonly step: number;
  readonly #steps: number;
  readonly #fields: number;
  /** Step number stored in each slot, counted since 1970. */
  readonly #stepOf: Float64Array;
  /** First and last steps with a sample. */
  #first = Number.POSITIVE_INFINITY;
  #last = -1;
  /** Field values, grouped by slot. */
  readonly #values: Float32Array;

  constructor(step: number, steps: number, fields: number) {
    this.step = step;
    this.#steps = steps;
    this.#fields = fields;
    this.#stepOf = new Float64Array(steps);
    this.#values = new Float32Array(steps * fields);
  }

  get bytes(): number {
    return this.#stepOf.byteLength + this.#values.byteLength;
  }

  /** Sets the values of the step that has just ended. NaN means that a value is unknown. */
  add(now: number, values: readonly number[]): void {
    // Round to the nearest step, because timers may fire slightly early or late.
    const step = Math.round(now / this.step) - 1;
    const slot = step % this.#steps;
    this.#stepOf[slot] = step;
    this.#first = Math.min(this.#first, step);
    this.#last = step;
    this.#values.set(values, slot * this.#fields);
  }

  /**
   * Reads the steps of a period, limited to the range between the first and last samples. A step that has just ended may not have its
   * sample yet.
   */
  read(from: number, to: number): RingReading {
    const last = Math.min(Math.floor(to / this.step) - 1, this.#last);
    const wanted = Math.max(Math.ceil(from / this.step), last - this.#steps + 1);
    const first = this.#last < 0 ? wanted : Math.max(wanted, this.#first);
    const series: (number | null)[][] = Array.from({ length: this.#fields }, () => []);
    for (let step = first; step <= last; step++) {
      const slot = step % this.#steps;
      const isKnown = this.#stepOf[slot] === step;
      for (const [field, values] of series.entries())
        values.push(isKnown ? known(floatAt(this.#values, slot * this.#fields + field)) : null);
    }
    return { from: first * this.step, series };
  }
}

function known(value: number): number | null {
  return Number.isNaN(value) ? null : Number(value.toPrecision(4));
}
