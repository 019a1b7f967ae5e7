/**
 * Metrics that a thread keeps: counters, gauges and histograms with labels, in the model of Prometheus. Keep the series
 * of a label set at hand where it is hot; incrementing it is an addition.
 */
import { runGuarded, taskOf } from '@sluice/base';
import { declareCounter, declareGauge, declareHistogram, type FamilyDescription, type MetricType } from './declare.ts';

/**
 * One series of a family. Its numbers are in one array of floats, so that counting allocates nothing: a value, or for
 * histograms a sum and the observations by bucket, not cumulative, the last one beyond all bounds.
 */
export class Series {
  readonly labels: readonly string[];
  readonly #bounds: readonly number[];
  readonly #cells: Float64Array;

  constructor(labels: readonly string[], bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.#cells = new Float64Array(bounds.length === 0 ? 1 : bounds.length + 2);
  }

  /** Value of a counter or gauge; sum of the observations of a histogram. */
  get value(): number {
    return this.#cells[0] as number;
  }

  /** Adds to a counter or gauge. */
  add(amount = 1): void {
    (this.#cells[0] as number) += amount;
  }

  /** Sets a gauge. */
  set(value: number): void {
    this.#cells[0] = value;
  }

  /** Takes an observation into a histogram. */
  observe(value: number): void {
    (this.#cells[0] as number) += value;
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++;
    (this.#cells[bucket + 1] as number)++;
  }

  /** The numbers as they are now. */
  snapshot(): SeriesSnapshot {
    const buckets = [...this.#cells.subarray(1)];
    return { labels: this.labels, value: this.value, count: buckets.reduce((sum, each) => sum + each, 0), buckets };
  }
}

/** Most label sets of a family; further ones share a series whose labels are {@link overflowLabel}. */
export const maxSeries = 5000;

/** Label value of the series that takes what would be too many. */
const overflowLabel = '_overflow';

/** All series of a name. */
export class Family implements FamilyDescription {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labelNames: readonly string[];
  /** Upper bounds of histogram buckets, ascending. */
  readonly bounds: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor({ name, help, type, labelNames, bounds }: FamilyDescription) {
    this.name = name;
    this.help = help;
    this.type = type;
    this.labelNames = labelNames;
    this.bounds = bounds;
  }

  /** The series of a label set, values in the order of `labelNames`. */
  with(...labels: readonly string[]): Series {
    const key = keyOf(labels);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    if (this.#series.size >= maxSeries && labels[0] !== overflowLabel)
      return this.with(...labels.map(() => overflowLabel));
    const series = new Series(labels, this.bounds);
    this.#series.set(key, series);
    return series;
  }

  /** All series, in the order in which they came. */
  series(): IterableIterator<Series> {
    return this.#series.values();
  }

  /** Forgets a series, such as the gauge of something that is no more. */
  delete(...labels: readonly string[]): void {
    this.#series.delete(keyOf(labels));
  }
}

function keyOf(labels: readonly string[]): string {
  return labels.length === 1 ? (labels[0] as string) : labels.join('\u0000');
}

/** Brings metrics up to date that are read, not counted, such as those of the process. */
export type Collector = () => void;

const collectors = taskOf('metrics');

/**
 * The families of a thread. Asking for a name again gives the same family; with other labels than before, it begins
 * again, as series of different labels make no family.
 */
export class Metrics {
  readonly #families = new Map<string, Family>();
  readonly #collectors = new Set<Collector>();

  /** A metric that only grows; its name ends in `_total`. */
  counter(name: string, help: string, labelNames: readonly string[] = []): Family {
    return this.family(declareCounter(name, help, labelNames));
  }

  /** A metric that goes up and down. */
  gauge(name: string, help: string, labelNames: readonly string[] = []): Family {
    return this.family(declareGauge(name, help, labelNames));
  }

  /** A distribution, by upper bounds. */
  histogram(name: string, help: string, bounds: readonly number[], labelNames: readonly string[] = []): Family {
    return this.family(declareHistogram(name, help, bounds, labelNames));
  }

  /** Calls back before each snapshot. Gives the function that ends it. */
  onCollect(collector: Collector): () => void {
    this.#collectors.add(collector);
    return () => this.#collectors.delete(collector);
  }

  /** All metrics as they are now, as plain data that can go to another thread. */
  snapshot(): MetricsSnapshot {
    // One that throws leaves its own metrics as they were; all others are still shown.
    for (const collect of this.#collectors) runGuarded(collectors, collect);
    return [...this.#families.values()].map((family) => ({
      name: family.name,
      help: family.help,
      type: family.type,
      labelNames: family.labelNames,
      bounds: family.bounds,
      series: [...family.series()].map((series) => series.snapshot()),
    }));
  }

  /** The family that a declaration describes. */
  family(description: FamilyDescription): Family {
    const { name, labelNames } = description;
    let family = this.#families.get(name);
    if (family === undefined || family.labelNames.join() !== labelNames.join()) {
      family = new Family(description);
      this.#families.set(name, family);
    }
    return family;
  }
}

/** A series as plain data. */
export interface SeriesSnapshot {
  readonly labels: readonly string[];
  readonly value: number;
  readonly count: number;
  readonly buckets: readonly number[];
}

/** A family as plain data. */
export interface FamilySnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labelNames: readonly string[];
  readonly bounds: readonly number[];
  readonly series: readonly SeriesSnapshot[];
}

/** All metrics of a thread as plain data. */
export type MetricsSnapshot = readonly FamilySnapshot[];
