/** Charts for the server and for upstreams, with their lines and units. */
import { bytes, milliseconds, short } from '../../base/format.ts';
import { percentOf, sumOf, type StatsHistory, type Values } from '../../state/stats-history.ts';
import type { Line } from './plot.tsx';

export interface ChartPlan {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  readonly max?: number;
  readonly steps?: readonly number[];
  readonly isStepped?: boolean;
}

/** Powers of 2, so that axis marks are round numbers of KiB and MiB. */
const byteSteps = Array.from({ length: 50 }, (_, power) => 2 ** power);

const share = (value: number): string => `${short(value)}%`;

/** Returns the charts for the server, or those for an upstream if `isUpstream` is true. */
export function chartsOf({ series }: StatsHistory, isUpstream: boolean): readonly ChartPlan[] {
  const line = (label: string, look: number, name: string): Line => ({ label, look, values: series[name] ?? [] });
  const errors = sumOf(series['status_5xx'], series['status_cut']);
  const requests = sumOf(
    ...['status_2xx', 'status_3xx', 'status_4xx', 'status_1xx'].map((name) => series[name]),
    errors,
  );
  const common: ChartPlan[] = [
    { title: 'Requests', unit: 'req/s', format: short, lines: [{ label: 'req/s', look: 0, values: requests }] },
    {
      title: 'Errors',
      unit: '% of requests with a 5xx response',
      format: share,
      lines: [{ label: '5xx %', look: 1, values: percentOf(errors, requests) }],
    },
    {
      title: 'Latency',
      unit: 'response time',
      format: milliseconds,
      lines: [line('p50', 0, 'p50'), line('p90', 2, 'p90'), line('p99', 1, 'p99')],
    },
    {
      title: 'Status code classes',
      unit: 'responses/s',
      format: short,
      lines: [
        line('2xx', 3, 'status_2xx'),
        line('3xx', 0, 'status_3xx'),
        line('4xx', 2, 'status_4xx'),
        line('5xx', 1, 'status_5xx'),
        line(isUpstream ? 'no response' : 'aborted', 4, 'status_cut'),
      ],
    },
    {
      title: 'Bytes',
      unit: 'body bytes per second',
      format: bytes,
      steps: byteSteps,
      lines: isUpstream
        ? [line('sent', 2, 'bytes_in'), line('received', 0, 'bytes_out')]
        : [line('received', 2, 'bytes_in'), line('sent', 0, 'bytes_out')],
    },
    { title: 'Retries', unit: 'retries/s', format: short, lines: [line('retries', 2, 'retries')] },
  ];
  return [...common, ...(isUpstream ? ofUpstream(line, series['unhealthy'] ?? []) : ofServer(line))];
}

type MakeLine = (label: string, look: number, name: string) => Line;

function ofServer(line: MakeLine): readonly ChartPlan[] {
  return [
    {
      title: 'Connections and requests',
      unit: 'open now',
      format: short,
      lines: [line('connections', 0, 'connections'), line('in flight', 2, 'in_flight')],
    },
    {
      title: 'TLS handshakes',
      unit: 'handshakes/s',
      format: short,
      lines: [line('completed', 3, 'handshakes'), line('failed', 1, 'failed_handshakes')],
    },
  ];
}

function ofUpstream(line: MakeLine, unhealthy: Values): readonly ChartPlan[] {
  return [
    {
      title: 'Connection pool',
      unit: 'connections',
      format: short,
      lines: [
        line('open', 0, 'connections'),
        line('idle', 3, 'idle'),
        line('in flight', 2, 'in_flight'),
        line('waiting', 1, 'waiting'),
      ],
    },
    {
      title: 'Health',
      unit: '% of proxies that consider the upstream unhealthy',
      format: share,
      max: 100,
      isStepped: true,
      lines: [{ label: 'unhealthy', look: 1, values: unhealthy.map((value) => (value === null ? null : value * 100)) }],
    },
  ];
}
