/** Declarations of metric families. The collector and the generated reference documentation use them. */
export type MetricType = 'counter' | 'gauge' | 'histogram';

export interface FamilyDescription {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labelNames: readonly string[];
  /** Upper bounds of the histogram buckets, in ascending order. Empty for counters and gauges. */
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
