/**
 * Figures that a thread keeps: counters, gauges and histograms with labels, in the model of Prometheus. Keep the series
 * of a label set at hand where it is hot; incrementing it is an addition.
 */

/** What a family is. */
export type MetricType = 'counter' | 'gauge' | 'histogram';

/** One series of a family: a number, or for histograms counts by bucket. */
export class Series {
  readonly labels: readonly string[];
  /** Value of a counter or gauge; sum of the observations of a histogram. */
  value = 0;
  /** Observations of a histogram. */
  count = 0;
  /** Observations by bucket, not cumulative; the last one is beyond all bounds. Empty for others. */
  readonly buckets: number[];
  readonly #bounds: readonly number[];

  constructor(labels: readonly string[], bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.buckets = bounds.length === 0 ? [] : Array.from({ length: bounds.length + 1 }, () => 0);
  }

  /** Adds to a counter or gauge. */
  add(amount = 1): void {
    this.value += amount;
  }

  /** Sets a gauge. */
  set(value: number): void {
    this.value = value;
  }

  /** Takes an observation into a histogram. */
  observe(value: number): void {
    this.value += value;
    this.count++;
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] as number)) bucket++;
    this.buckets[bucket] = (this.buckets[bucket] as number) + 1;
  }
}

/** Most label sets of a family; further ones share a series whose labels are {@link overflowLabel}. */
export const maxSeries = 2000;

/** Label value of the series that takes what would be too many. */
export const overflowLabel = '_overflow';

/** All series of a name. */
export class Family {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labelNames: readonly string[];
  /** Upper bounds of histogram buckets, ascending. */
  readonly bounds: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor(name: string, help: string, type: MetricType, labelNames: readonly string[], bounds: readonly number[]) {
    this.name = name;
    this.help = help;
    this.type = type;
    this.labelNames = labelNames;
    this.bounds = bounds;
  }

  /** The series of a label set, values in the order of `labelNames`. */
  with(...labels: readonly string[]): Series {
    const key = labels.length === 1 ? (labels[0] as string) : labels.join('\u0000');
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
}

/** The families of a thread. Asking for a name again gives the same family. */
export class Metrics {
  readonly #families = new Map<string, Family>();

  /** A figure that only grows; its name ends in `_total`. */
  counter(name: string, help: string, labelNames: readonly string[] = []): Family {
    return this.#family(name, help, 'counter', labelNames, []);
  }

  /** A figure that goes up and down. */
  gauge(name: string, help: string, labelNames: readonly string[] = []): Family {
    return this.#family(name, help, 'gauge', labelNames, []);
  }

  /** A distribution, by upper bounds. */
  histogram(name: string, help: string, bounds: readonly number[], labelNames: readonly string[] = []): Family {
    return this.#family(name, help, 'histogram', labelNames, bounds);
  }

  /** All figures as they are now, as plain data that can go to another thread. */
  snapshot(): MetricsSnapshot {
    return [...this.#families.values()].map((family) => ({
      name: family.name,
      help: family.help,
      type: family.type,
      labelNames: family.labelNames,
      bounds: family.bounds,
      series: [...family.series()].map(({ labels, value, count, buckets }) => ({
        labels,
        value,
        count,
        buckets: [...buckets],
      })),
    }));
  }

  #family(
    name: string,
    help: string,
    type: MetricType,
    labelNames: readonly string[],
    bounds: readonly number[],
  ): Family {
    let family = this.#families.get(name);
    if (family === undefined) {
      family = new Family(name, help, type, labelNames, bounds);
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

/** All figures of a thread as plain data. */
export type MetricsSnapshot = readonly FamilySnapshot[];

/** The figures of several threads as one: like series are added. */
export function mergeMetrics(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  const families = new Map<string, { family: FamilySnapshot; series: Map<string, SeriesSnapshot> }>();
  for (const family of snapshots.flat()) {
    const merged = families.get(family.name) ?? { family, series: new Map<string, SeriesSnapshot>() };
    families.set(family.name, merged);
    for (const series of family.series) {
      const key = series.labels.join('\u0000');
      const other = merged.series.get(key);
      merged.series.set(key, other === undefined ? series : addSeries(other, series));
    }
  }
  return [...families.values()].map(({ family, series }) => ({ ...family, series: [...series.values()] }));
}

function addSeries(a: SeriesSnapshot, b: SeriesSnapshot): SeriesSnapshot {
  return {
    labels: a.labels,
    value: a.value + b.value,
    count: a.count + b.count,
    buckets: a.buckets.map((count, i) => count + (b.buckets[i] ?? 0)),
  };
}
