/** The traffic, as `GET /stats/stream` tells it every few seconds, and the last minutes of it for charts. */
import { computed, signal } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { listenTogether } from '../api/shared-stream.ts';
import { ask } from '../api/client.ts';
import { unreachableSince } from '../api/reachable.ts';
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

/** A point of the charts; `null` where nothing is known, which charts show as a gap. */
export interface Sample {
  readonly at: number;
  readonly rate: number | null;
  readonly errors: number | null;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly bytes: number | null;
}

/** Seconds between two events of the stream, and maximum number of entries of each list. */
const interval = 2;
const top = 10;

/** Maximum number of samples: ten minutes. */
const kept = 300;

/** Since the server started. */
export const total = signal<Stats | null>(null);

/** The last interval. */
export const lately = signal<Stats | null>(null);

/** The last minutes. */
export const samples = signal<readonly Sample[]>([]);

/** Why the stream does not come; `null` while it does, or may. */
const streamProblem = signal<string | null>(null);

/** Why there is nothing; `null` while there is, or may come. While the server is unreachable the banner says so. */
export const statsProblem = computed(() =>
  streamProblem.value === null || unreachableSince.value !== null
    ? null
    : has(calls.statsStream)
      ? streamProblem.value
      : 'This server does not count its requests: it has no /stats.',
);

/** Errors of the server: responses of 5xx, and those that were cut. */
export function failures({ status }: Counts): number {
  return (status['5xx'] ?? 0) + (status['cut'] ?? 0);
}

/** Listens. Called once; gives what ends it. */
export function followStats(): () => void {
  const query = { top };
  return listenTogether(calls.statsStream({}, { query: { ...query, every: interval } }), {
    onJoined: () => {
      ask(calls.stats({}, { query })).then(
        ({ json }) => void (total.value = json as Stats),
        // Without the right to it there is what the stream tells from now on.
        () => undefined,
      );
    },
    onState: (problem) => {
      streamProblem.value = problem;
      // A tab that another one tells has to see for itself whether the server responds.
      if (problem !== null) ask(calls.who()).catch(() => undefined);
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
  const sample = {
    at: Date.parse(delta.at),
    rate: counts.requests / span,
    errors: failures(counts) / span,
    // Without a request there is no latency.
    p50: counts.latency_ms?.p50 ?? null,
    p99: counts.latency_ms?.p99 ?? null,
    bytes: counts.bytes_out / span,
  };
  lately.value = delta;
  samples.value = withSample(samples.value, sample);
  if (total.value !== null) total.value = added(total.value, delta);
}

/** Adds a sample, and a gap before it if events were missed. */
export function withSample(before: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = before.at(-1);
  if (last === undefined || sample.at - last.at <= 2.5 * interval * 1000) return [...before.slice(1 - kept), sample];
  const gap = { at: last.at + interval * 1000, rate: null, errors: null, p50: null, p99: null, bytes: null };
  return [...before.slice(2 - kept), gap, sample];
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
