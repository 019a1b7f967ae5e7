/** Figures as text: Prometheus exposition format 0.0.4, and OpenMetrics. */
import type { FamilySnapshot, MetricsSnapshot, SeriesSnapshot } from './families.ts';

/** A form of the text. */
export interface MetricsFormat {
  readonly contentType: string;
  readonly openMetrics: boolean;
}

const prometheus: MetricsFormat = {
  contentType: 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores',
  openMetrics: false,
};
const openMetrics: MetricsFormat = {
  contentType: 'application/openmetrics-text; version=0.0.1; charset=utf-8; escaping=underscores',
  openMetrics: true,
};

/** The form that an Accept field asks for. */
export function metricsFormatFor(accept: string | undefined, allowOpenMetrics = true): MetricsFormat {
  return allowOpenMetrics && accept !== undefined && accept.includes('application/openmetrics-text')
    ? openMetrics
    : prometheus;
}

/** Writes figures, sorted by name. */
export function renderMetrics(snapshot: MetricsSnapshot, format: MetricsFormat): string {
  let text = '';
  for (const family of snapshot.toSorted((a, b) => (a.name < b.name ? -1 : 1))) text += renderFamily(family, format);
  return format.openMetrics ? `${text}# EOF\n` : text;
}

function renderFamily(family: FamilySnapshot, format: MetricsFormat): string {
  // OpenMetrics names a counter without the suffix that its samples have.
  const name = format.openMetrics && family.type === 'counter' ? family.name.replace(/_total$/, '') : family.name;
  let text = `# HELP ${name} ${escapeHelp(family.help)}\n# TYPE ${name} ${family.type}\n`;
  for (const series of family.series)
    text +=
      family.type === 'histogram'
        ? renderHistogram(family, series)
        : sample(family.name, labelsOf(family, series), series.value);
  return text;
}

function renderHistogram(family: FamilySnapshot, series: SeriesSnapshot): string {
  const labels = labelsOf(family, series);
  let text = '';
  let count = 0;
  for (const [i, bound] of [...family.bounds, Number.POSITIVE_INFINITY].entries()) {
    count += series.buckets[i] ?? 0;
    text += sample(`${family.name}_bucket`, [...labels, ['le', formatNumber(bound)]], count);
  }
  return (
    text + sample(`${family.name}_sum`, labels, series.value) + sample(`${family.name}_count`, labels, series.count)
  );
}

type Labels = readonly (readonly [name: string, value: string])[];

function labelsOf(family: FamilySnapshot, series: SeriesSnapshot): Labels {
  return family.labelNames.map((name, i) => [name, series.labels[i] ?? ''] as const);
}

function sample(name: string, labels: Labels, value: number): string {
  const text = labels.map(([label, content]) => `${label}="${escapeLabel(content)}"`).join(',');
  return `${name}${text === '' ? '' : `{${text}}`} ${formatNumber(value)}\n`;
}

function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
