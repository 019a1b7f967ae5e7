/** Declarations of families: what they count is said once, where they are kept and in the reference. */
/** What a family is. */
export type MetricType = 'counter' | 'gauge' | 'histogram';

/** What a family counts, and how. */
export interface FamilyDescription {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labelNames: readonly string[];
  /** Upper bounds of histogram buckets, ascending; none for other types. */
  readonly bounds: readonly number[];
}

/** A metric that only grows; its name ends in `_total`. */
export function declareCounter(name: string, help: string, labelNames: readonly string[] = []): FamilyDescription {
  return { name, help, type: 'counter', labelNames, bounds: [] };
}

/** A metric that goes up and down. */
export function declareGauge(name: string, help: string, labelNames: readonly string[] = []): FamilyDescription {
  return { name, help, type: 'gauge', labelNames, bounds: [] };
}

/** A distribution, by upper bounds. */
export function declareHistogram(
  name: string,
  help: string,
  bounds: readonly number[],
  labelNames: readonly string[] = [],
): FamilyDescription {
  return { name, help, type: 'histogram', labelNames, bounds };
}
