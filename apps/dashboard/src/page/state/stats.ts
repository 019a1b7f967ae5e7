/** The traffic, once a second, as `GET /stats/stream` tells it; and the last minutes of it for charts. */
import { computed, signal } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { listenTogether } from '../api/shared-stream.ts';
import { ask } from '../api/client.ts';
import { has } from './server.ts';

/** What is counted of servers, routes, hosts and upstreams. */
export interface Counts {
  readonly requests: number;
  readonly in_flight: number;
  readonly status: Readonly<Record<string, number>>;
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly latency_ms: Readonly<Record<'mean' | 'p50' | 'p90' | 'p99' | 'max', number>> | null;
}

/** A message of the stream. */
export interface Stats {
  readonly at: string;
  readonly since: string;
  readonly seconds: number;
  readonly total: Counts;
  readonly servers: readonly (Counts & { readonly server: string })[];
  readonly routes: readonly (Counts & { readonly path: string; readonly id: string | null; readonly server: string })[];
  readonly hosts: readonly (Counts & { readonly host: string; readonly server: string })[];
  readonly upstreams: readonly (Counts & { readonly address: string })[];
}

/** A second of it. */
export interface Second {
  readonly at: number;
  readonly rate: number;
  readonly errors: number;
  readonly p99: number;
  readonly bytes: number;
}

/** How many seconds are kept. */
const kept = 300;

/** Since the server started. */
export const total = signal<Stats | null>(null);

/** The last second. */
export const lately = signal<Stats | null>(null);

/** The last minutes. */
export const seconds = signal<readonly Second[]>([]);

/** Why the stream does not come; `null` while it does, or may. */
const streamProblem = signal<string | null>(null);

/** Why there is nothing; `null` while there is, or may come. */
export const statsProblem = computed(() =>
  streamProblem.value === null || has(calls.statsStream)
    ? streamProblem.value
    : 'This server does not count its requests: it has no /stats.',
);

/** Errors of the server: responses of 5xx, and those that were cut. */
export function failures({ status }: Counts): number {
  return (status['5xx'] ?? 0) + (status['cut'] ?? 0);
}

/** Listens. Called once; gives what ends it. */
export function followStats(): () => void {
  const query = { top: 200 };
  return listenTogether(calls.statsStream({}, { query }), {
    onJoined: () => {
      ask(calls.stats({}, { query })).then(
        ({ json }) => void (total.value = json as Stats),
        // Without the right to it there is what the stream tells from now on.
        () => undefined,
      );
    },
    onState: (problem) => {
      streamProblem.value = problem;
    },
    onEvent: ({ name, data }) => {
      if (name === 'stats') total.value = data as Stats;
      if (name === 'delta') take(data as Stats);
    },
  });
}

function take(delta: Stats): void {
  const { total: counts, seconds: length } = delta;
  const span = Math.max(length, 0.001);
  const second = {
    at: Date.parse(delta.at),
    rate: counts.requests / span,
    errors: failures(counts) / span,
    p99: counts.latency_ms?.p99 ?? 0,
    bytes: counts.bytes_out / span,
  };
  lately.value = delta;
  seconds.value = [...seconds.value.slice(1 - kept), second];
  if (total.value !== null) total.value = added(total.value, delta);
}

/** The total goes on without being read again. */
function added(before: Stats, delta: Stats): Stats {
  const status = Object.fromEntries(
    Object.entries(before.total.status).map(([key, value]) => [key, value + (delta.total.status[key] ?? 0)]),
  );
  return {
    ...before,
    at: delta.at,
    total: {
      ...before.total,
      status,
      requests: before.total.requests + delta.total.requests,
      in_flight: delta.total.in_flight,
      bytes_in: before.total.bytes_in + delta.total.bytes_in,
      bytes_out: before.total.bytes_out + delta.total.bytes_out,
    },
  };
}
