/** Values of the last hours at a fixed step, in memory whose size is fixed when it is made. */
import { floatAt } from '@sluice/base';

/** Time and values of some steps. */
export interface RingReading {
  /** Start of the first step, in milliseconds since 1970. */
  readonly from: number;
  /** By field; `null` where there is no sample. */
  readonly series: readonly (readonly (number | null)[])[];
}

/** A ring of steps. A step has one number for each field. */
export class Ring {
  /** Length of a step, in milliseconds. */
  readonly step: number;
  readonly #steps: number;
  readonly #fields: number;
  /** Step in each slot, counted from 1970. */
  readonly #stepOf: Float64Array;
  /** The first step with a sample, and the latest one. */
  #first = Number.POSITIVE_INFINITY;
  #last = -1;
  /** The fields of a slot are next to each other. */
  readonly #values: Float32Array;

  constructor(step: number, steps: number, fields: number) {
    this.step = step;
    this.#steps = steps;
    this.#fields = fields;
    this.#stepOf = new Float64Array(steps);
    this.#values = new Float32Array(steps * fields);
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#stepOf.byteLength + this.#values.byteLength;
  }

  /** Sets the values of the step that ended last; NaN is a value that is not known. */
  add(now: number, values: readonly number[]): void {
    // Timers are a little early or late.
    const step = Math.round(now / this.step) - 1;
    const slot = step % this.#steps;
    this.#stepOf[slot] = step;
    this.#first = Math.min(this.#first, step);
    this.#last = step;
    this.#values.set(values, slot * this.#fields);
  }

  /** Reads the steps of a time, between the first and the latest one with a sample: a step that ended just now may get its sample later. */
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

/** Four digits are more than a chart shows. */
function known(value: number): number | null {
  return Number.isNaN(value) ? null : Number(value.toPrecision(4));
}
