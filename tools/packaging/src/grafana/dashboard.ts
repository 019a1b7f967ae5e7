/** The Grafana dashboard in Grafana's schema (`@grafana/schema`). `docs/guide/grafana/sluice.json` is generated from this file. */
import { DashboardCursorSync, VariableRefresh, type Dashboard, type Panel } from '@grafana/schema';

const datasource = { type: 'prometheus', uid: '${datasource}' };
const selector = 'job=~"$job", instance=~"$instance"';

interface Query {
  readonly expr: string;
  readonly legend: string;
}

interface Graph {
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly queries: readonly Query[];
}

const requests = `caddy_http_request_duration_seconds_count{${selector}}`;
const quantile = (share: number): Query => ({
  expr: `histogram_quantile(${share}, sum by (le) (rate(caddy_http_request_duration_seconds_bucket{${selector}}[$__rate_interval])))`,
  legend: `p${share * 100}`,
});

/** Dashboard graphs, arranged two per row. */
const graphs: readonly Graph[] = [
  {
    title: 'Requests',
    description: 'Requests per second, by status class.',
    unit: 'reqps',
    queries: ['1', '2', '3', '4', '5'].map((digit) => ({
      expr: `sum(rate(${requests.replace('}', `, code=~"${digit}.."}`)}[$__rate_interval]))`,
      legend: `${digit}xx`,
    })),
  },
  {
    title: 'Errors',
    description: 'Share of requests with a 5xx status.',
    unit: 'percentunit',
    queries: [
      {
        expr: `sum(rate(${requests.replace('}', ', code=~"5.."}')}[$__rate_interval])) / sum(rate(${requests}[$__rate_interval]))`,
        legend: 'errors',
      },
    ],
  },
  {
    title: 'Latency',
    description: 'Time from the request header to the end of the response.',
    unit: 's',
    queries: [0.5, 0.9, 0.99].map(quantile),
  },
  {
    title: 'Requests in flight',
    description: 'Requests in flight.',
    unit: 'short',
    queries: [{ expr: `sum by (instance) (caddy_http_requests_in_flight{${selector}})`, legend: '{{instance}}' }],
  },
  {
    title: 'Response size',
    description: 'Response body bytes per second.',
    unit: 'Bps',
    queries: [
      { expr: `sum(rate(caddy_http_response_size_bytes_sum{${selector}}[$__rate_interval]))`, legend: 'sent' },
      { expr: `sum(rate(caddy_http_request_size_bytes_sum{${selector}}[$__rate_interval]))`, legend: 'received' },
    ],
  },
  {
    title: 'Healthy upstreams',
    description: '1 if the upstream is healthy, otherwise 0.',
    unit: 'short',
    queries: [
      { expr: `min by (upstream) (caddy_reverse_proxy_upstreams_healthy{${selector}})`, legend: '{{upstream}}' },
    ],
  },
  {
    title: 'Event loop utilization',
    description: "Share of time that each thread's event loop is busy. Near 1, the thread is saturated.",
    unit: 'percentunit',
    queries: [
      {
        expr: `rate(nodejs_eventloop_active_seconds_total{${selector}}[$__rate_interval]) / (rate(nodejs_eventloop_active_seconds_total{${selector}}[$__rate_interval]) + rate(nodejs_eventloop_idle_seconds_total{${selector}}[$__rate_interval]))`,
        legend: '{{instance}} {{thread}}',
      },
    ],
  },
  {
    title: 'CPU',
    description: 'CPU cores in use.',
    unit: 'short',
    queries: [{ expr: `rate(process_cpu_seconds_total{${selector}}[$__rate_interval])`, legend: '{{instance}}' }],
  },
  {
    title: 'Memory',
    description: 'Resident memory of the process.',
    unit: 'bytes',
    queries: [{ expr: `process_resident_memory_bytes{${selector}}`, legend: '{{instance}}' }],
  },
  {
    title: 'Open files',
    description: 'Open file descriptors, mostly connections.',
    unit: 'short',
    queries: [{ expr: `process_open_fds{${selector}}`, legend: '{{instance}}' }],
  },
];

function panelOf({ title, description, unit, queries }: Graph, index: number): Panel {
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    description,
    datasource,
    gridPos: { x: (index % 2) * 12, y: Math.floor(index / 2) * 8, w: 12, h: 8 },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom', showLegend: true }, tooltip: { mode: 'multi' } },
    targets: queries.map(({ expr, legend }, at) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + at),
      datasource,
      expr,
      legendFormat: legend,
    })),
  };
}

export const dashboard: Dashboard = {
  uid: 'sluice',
  title: 'Sluice',
  description: 'Requests, errors, latency and resources of Sluice, from its Prometheus metrics.',
  tags: ['sluice', 'prometheus'],
  editable: true,
  graphTooltip: DashboardCursorSync.Crosshair,
  schemaVersion: 39,
  refresh: '30s',
  time: { from: 'now-1h', to: 'now' },
  timezone: 'browser',
  templating: {
    list: [
      { name: 'datasource', type: 'datasource', label: 'Data source', query: 'prometheus' },
      ...['job', 'instance'].map((name) => ({
        name,
        type: 'query' as const,
        label: name === 'job' ? 'Job' : 'Instance',
        datasource,
        query: `label_values(caddy_http_requests_in_flight${name === 'instance' ? '{job=~"$job"}' : ''}, ${name})`,
        multi: true,
        includeAll: true,
        allValue: '.*',
        current: { text: 'All', value: '$__all' },
        refresh: VariableRefresh.onTimeRangeChanged,
      })),
    ],
  },
  panels: graphs.map(panelOf),
};
