/** Merges the metrics of several threads. */
import type { FamilySnapshot, MetricsSnapshot, SeriesSnapshot } from './families.ts';

/**
 * Adds up series with equal labels. During a configuration reload, threads can have different label names for the same family. In this
 * case, the first family wins.
 */
export function mergeMetrics(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  const families = new Map<string, { family: FamilySnapshot; series: Map<string, SeriesSnapshot> }>();
  for (const family of snapshots.flat()) {
    const merged = families.get(family.name) ?? { family, series: new Map<string, SeriesSnapshot>() };
    families.set(family.name, merged);
    if (merged.family.labelNames.join() !== family.labelNames.join()) continue;
    for (const series of family.series) {
      const key = series.labels.join('\u0000');
      const other = merged.series.get(key);
      merged.series.set(key, other === undefined ? series : addSeries(other, series));
    }
  }
  return [...families.values()].map(({ family, series }) => ({ ...family, series: [...series.values()] }));
}

/** Returns the metrics to keep after a thread has terminated: everything except gauges. */
export function lastingMetrics(snapshot: MetricsSnapshot): MetricsSnapshot {
  return snapshot.filter(({ type }) => type !== 'gauge');
}

function addSeries(a: SeriesSnapshot, b: SeriesSnapshot): SeriesSnapshot {
  return {
    labels: a.labels,
    value: a.value + b.value,
    count: a.count + b.count,
    buckets: a.buckets.map((count, i) => count + (b.buckets[i] ?? 0)),
  };
}
