/** Renders metrics in Prometheus exposition format 0.0.4 or OpenMetrics. */
import { itemAt } from '@sluice/base';
import type { FamilySnapshot, MetricsSnapshot, SeriesSnapshot } from './families.ts';
import { formatFigure, formatOpenFigure } from './number.ts';

export interface MetricsFormat {
  readonly contentType: string;
  readonly openMetrics: boolean;
}

const prometheus = textFormat('text/plain', '0.0.4', false);
const openMetrics = textFormat('application/openmetrics-text', '0.0.1', true);
const openMetrics1 = textFormat('application/openmetrics-text', '1.0.0', true);

function textFormat(type: string, version: string, open: boolean): MetricsFormat {
  return { contentType: `${type}; version=${version}; charset=utf-8; escaping=underscores`, openMetrics: open };
}

/** Selects the metrics format for an `Accept` header (RFC 9110 §12.5.1). */
export function metricsFormatFor(accept: string | undefined, allowOpenMetrics = true): MetricsFormat {
  let best = prometheus;
  let bestQuality = 0;
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const value = (name: string): string | undefined =>
      parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1);
    const format = formatOf(type, value('version'), allowOpenMetrics);
    const quality = Number(value('q') ?? 1);
    if (format === null || !(quality > bestQuality)) continue;
    best = format;
    bestQuality = quality;
  }
  return best;
}

function formatOf(type: string, version: string | undefined, allowOpenMetrics: boolean): MetricsFormat | null {
  if (type === 'text/plain') return version === undefined || version === '0.0.4' ? prometheus : null;
  if (type !== 'application/openmetrics-text' || !allowOpenMetrics) return null;
  if (version === '1.0.0') return openMetrics1;
  return version === undefined || version === '0.0.1' ? openMetrics : null;
}

/** Renders metrics, sorted by name and labels. */
export function renderMetrics(snapshot: MetricsSnapshot, format: MetricsFormat): string {
  let text = '';
  for (const family of snapshot.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    if (family.series.length > 0) text += renderFamily(family, format.openMetrics);
  return format.openMetrics ? `${text}# EOF\n` : text;
}

function renderFamily(family: FamilySnapshot, open: boolean): string {
  // In OpenMetrics, the family name of a counter omits the `_total` suffix. Only its samples have the suffix.
  const name = open && family.type === 'counter' ? family.name.replace(/_total$/, '') : family.name;
  const number = open ? formatOpenFigure : formatFigure;
  const lines = [`# HELP ${name} ${escapeHelp(family.help)}`, `# TYPE ${name} ${family.type}`];
  for (const series of family.series.toSorted(byLabels)) {
    const labels = labelsOf(family, series);
    if (family.type === 'histogram') lines.push(...histogramLines(family, series, labels, number));
    else lines.push(`${family.name}${braced(labels)} ${number(series.value)}`);
  }
  return `${lines.join('\n')}\n`;
}

function histogramLines(
  { name, bounds }: FamilySnapshot,
  series: SeriesSnapshot,
  labels: string,
  number: (value: number) => string,
): string[] {
  const lines: string[] = [];
  const before = labels === '' ? '' : `${labels},`;
  let count = 0;
  for (const [i, bound] of [...bounds, Number.POSITIVE_INFINITY].entries()) {
    count += series.buckets[i] ?? 0;
    lines.push(`${name}_bucket{${before}le="${number(bound)}"} ${count}`);
  }
  lines.push(`${name}_sum${braced(labels)} ${number(series.value)}`, `${name}_count${braced(labels)} ${series.count}`);
  return lines;
}

function byLabels(a: SeriesSnapshot, b: SeriesSnapshot): number {
  const at = a.labels.findIndex((label, i) => label !== b.labels[i]);
  return at < 0 ? 0 : itemAt(a.labels, at) < itemAt(b.labels, at) ? -1 : 1;
}

function labelsOf(family: FamilySnapshot, series: SeriesSnapshot): string {
  return family.labelNames.map((name, i) => `${name}="${escapeLabel(series.labels[i] ?? '')}"`).join(',');
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
