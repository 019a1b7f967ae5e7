/**
 * Metrics of a thread: counters, gauges and histograms with labels, in the Prometheus data model.
 *
 * Hot code paths should keep a reference to the series with their labels. An increment is then a single addition.
 */
import { runGuarded, taskOf, floatAt } from '@sluice/base';
import { declareCounter, declareGauge, declareHistogram, type FamilyDescription, type MetricType } from './declare.ts';

/**
 * A time series of a metric family. Values are stored in a Float64Array to avoid allocations on updates.
 *
 * Counters and gauges have one value. Histograms store the sum, followed by non-cumulative bucket counts, including the overflow bucket.
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

  get value(): number {
    return floatAt(this.#cells, 0);
  }

  add(amount = 1): void {
    this.#cells[0] = this.value + amount;
  }

  set(value: number): void {
    this.#cells[0] = value;
  }

  /** Adds an observation to a histogram. */
  observe(value: number): void {
    this.#cells[0] = this.value + value;
    let cell = 1;
    for (const bound of this.#bounds) {
      if (!(value > bound)) break;
      cell++;
    }
    this.#cells[cell] = floatAt(this.#cells, cell) + 1;
  }

  snapshot(): SeriesSnapshot {
    const buckets = [...this.#cells.subarray(1)];
    return { labels: this.labels, value: this.value, count: buckets.reduce((sum, each) => sum + each, 0), buckets };
  }
}

/** Maximum number of series per family. Label sets beyond this limit share a series labeled {@link overflowLabel}. */
export const maxSeries = 5000;

/** Label value of the overflow series, which label sets beyond the limit share. */
const overflowLabel = '_overflow';

/** A metric family: all series with the same metric name. */
export class Family implements FamilyDescription {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labelNames: readonly string[];
  /** Upper bounds of histogram buckets in ascending order. */
  readonly bounds: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor({ name, help, type, labelNames, bounds }: FamilyDescription) {
    this.name = name;
    this.help = help;
    this.type = type;
    this.labelNames = labelNames;
    this.bounds = bounds;
  }

  /** Returns the series for a label set. `labels` are the values, in the order of `labelNames`. */
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

  /** Iterates over all series in creation order. */
  series(): IterableIterator<Series> {
    return this.#series.values();
  }

  /** Deletes a series, for example after the object that it describes was removed. */
  delete(...labels: readonly string[]): void {
    this.#series.delete(keyOf(labels));
  }
}

function keyOf(labels: readonly string[]): string {
  return labels.join('\u0000');
}

/** Callback that updates metrics on demand, such as process metrics. */
export type Collector = () => void;

const collectors = taskOf('metrics');

/**
 * Metric families of a thread. Registering the same name twice returns the same family.
 *
 * If the label names differ from the earlier registration, the family is reset to keep its series consistent.
 */
export class Metrics {
  readonly #families = new Map<string, Family>();
  readonly #collectors = new Set<Collector>();

  /** Returns a counter: a metric that only increases. Its name ends in `_total`. */
  counter(name: string, help: string, labelNames: readonly string[] = []): Family {
    return this.family(declareCounter(name, help, labelNames));
  }

  gauge(name: string, help: string, labelNames: readonly string[] = []): Family {
    return this.family(declareGauge(name, help, labelNames));
  }

  histogram(name: string, help: string, bounds: readonly number[], labelNames: readonly string[] = []): Family {
    return this.family(declareHistogram(name, help, bounds, labelNames));
  }

  /** Registers a callback that runs before each snapshot. Returns a function that unregisters the callback. */
  onCollect(collector: Collector): () => void {
    this.#collectors.add(collector);
    return () => void this.#collectors.delete(collector);
  }

  /** Returns a snapshot of all metrics as plain data, which can be sent to another thread. */
  snapshot(): MetricsSnapshot {
    // If a collector throws, only the metrics that it updates become stale.
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

  /** Returns the family for a declaration, and creates it if necessary. */
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

export interface SeriesSnapshot {
  readonly labels: readonly string[];
  readonly value: number;
  readonly count: number;
  readonly buckets: readonly number[];
}

export interface FamilySnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labelNames: readonly string[];
  readonly bounds: readonly number[];
  readonly series: readonly SeriesSnapshot[];
}

/** A snapshot of a thread's metrics as plain data. */
export type MetricsSnapshot = readonly FamilySnapshot[];
