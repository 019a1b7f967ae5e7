/** Declares metric families, for collecting them and for the reference. */
export type MetricType = 'counter' | 'gauge' | 'histogram';

export interface FamilyDescription {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labelNames: readonly string[];
  /** Upper bounds of histogram buckets in ascending order; empty for other types. */
  readonly bounds: readonly number[];
}

export function declareCounter(name: string, help: string, labelNames: readonly string[] = []): FamilyDescription {
  return { name, help, type: 'counter', labelNames, bounds: [] };
}

export function declareGauge(name: string, help: string, labelNames: readonly string[] = []): FamilyDescription {
  return { name, help, type: 'gauge', labelNames, bounds: [] };
}

export function declareHistogram(
  name: string,
  help: string,
  bounds: readonly number[],
  labelNames: readonly string[] = [],
): FamilyDescription {
  return { name, help, type: 'histogram', labelNames, bounds };
}
