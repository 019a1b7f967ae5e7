/** Live traffic statistics from `GET /stats/stream`, received every few seconds. Charts show the last minutes. */
import { computed, signal } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { listenTogether } from '../api/shared-stream.ts';
import { ask } from '../api/client.ts';
import { unreachableSince } from '../api/reachable.ts';
import { lacking } from '../api/session.ts';
import { has } from './server.ts';

export interface Counts {
  readonly requests: number;
  readonly in_flight: number;
  readonly status: Readonly<Record<string, number>>;
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly latency_ms: Readonly<Record<'mean' | 'p50' | 'p90' | 'p99' | 'max', number>> | null;
}

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

/** A data point in the charts. Unknown values are `null` and appear as gaps. */
export interface Sample {
  readonly at: number;
  /** Length of the data point's interval, in seconds. */
  readonly step: number;
  readonly rate: number | null;
  readonly errors: number | null;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly bytes: number | null;
}

/** Parameters of the stream: the interval between events in seconds, and the maximum number of entries in each list. */
const interval = 2;
const top = 10;

/** Maximum number of samples in the charts. 300 samples cover ten minutes. */
const kept = 300;

/** Totals since startup. */
export const total = signal<Stats | null>(null);

/** Statistics of the last interval, or `null` before the first event. */
export const lately = signal<Stats | null>(null);

/** The last minutes. */
export const samples = signal<readonly Sample[]>([]);

/** Reason why the statistics stream is unavailable. `null` if it is open or being opened. */
const streamProblem = signal<string | null>(null);

/**
 * Reason why statistics are missing. `null` if they are available or loading. Also `null` if the server is unreachable, because a banner
 * reports that.
 */
export const statsProblem = computed(() =>
  streamProblem.value === null || unreachableSince.value !== null
    ? null
    : has(calls.statsStream)
      ? streamProblem.value
      : 'This server does not support traffic statistics: it has no /stats endpoint.',
);

/** Returns the number of failed requests: those with a 5xx status, and aborted ones. */
export function failures({ status }: Counts): number {
  return (status['5xx'] ?? 0) + (status['cut'] ?? 0);
}

/** Subscribes to the statistics stream. Call the returned function to unsubscribe. */
export function followStats(): () => void {
  const query = { top };
  void readLastMinutes();
  return listenTogether(calls.statsStream({}, { query: { ...query, every: interval } }), {
    onJoined: () => {
      ask(calls.stats({}, { query })).then(
        ({ json }) => void (total.value = json as Stats),
        // Ignore the error. If the token cannot read the history, only new statistics are available.
        () => undefined,
      );
    },
    onState: (problem) => {
      streamProblem.value = problem;
      // A tab that receives events through another tab must check by itself whether the server responds.
      if (problem !== null) ask(calls.who()).catch(() => undefined);
    },
    onEvent: ({ name, data }) => {
      if (name === 'stats') total.value = data as Stats;
      if (name === 'delta') take(data as Stats);
    },
  });
}

/** Fills the charts with the statistics history from the server. */
async function readLastMinutes(): Promise<void> {
  const call = calls.statsHistory({}, { query: { range: '10m' } });
  if (lacking(call) !== null) return;
  try {
    const before = samplesOf((await ask(call)).json as KeptStats);
    const [first] = samples.value;
    samples.value = [...before.filter(({ at }) => first === undefined || at < first.at), ...samples.value].slice(-kept);
  } catch {
    // Ignore the error. If there is no history, the charts start empty.
  }
}

/** Response of `GET /stats/history`. */
interface KeptStats {
  readonly step: number;
  readonly from: string;
  readonly series: Readonly<Record<string, readonly (number | null)[]>>;
}

function samplesOf({ step, from, series }: KeptStats): readonly Sample[] {
  const value = (name: string, index: number): number | null => series[name]?.[index] ?? null;
  return (series['status_2xx'] ?? []).map((known, index) => {
    const rates = statuses.map((name) => value(name, index) ?? 0);
    return {
      at: Date.parse(from) + (index + 1) * step * 1000,
      step,
      rate: known === null ? null : rates.reduce((sum, rate) => sum + rate, 0),
      errors: known === null ? null : (value('status_5xx', index) ?? 0) + (value('status_cut', index) ?? 0),
      p50: value('p50', index),
      p99: value('p99', index),
      bytes: value('bytes_out', index),
    };
  });
}

const statuses = ['cut', '1xx', '2xx', '3xx', '4xx', '5xx'].map((name) => `status_${name}`);

function take(delta: Stats): void {
  const { total: counts, seconds: length } = delta;
  const span = Math.max(length, 0.001);
  const sample = {
    at: Date.parse(delta.at),
    step: interval,
    rate: counts.requests / span,
    errors: failures(counts) / span,
    // Latency is undefined for an interval without requests.
    p50: counts.latency_ms?.p50 ?? null,
    p99: counts.latency_ms?.p99 ?? null,
    bytes: counts.bytes_out / span,
  };
  lately.value = delta;
  samples.value = withSample(samples.value, sample);
  if (total.value !== null) total.value = added(total.value, delta);
}

/** Appends a sample. If events were missed, inserts a gap first. */
export function withSample(before: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = before.at(-1);
  if (last === undefined || sample.at - last.at <= 2500 * last.step) return [...before.slice(1 - kept), sample];
  const gap = {
    at: last.at + last.step * 1000,
    step: interval,
    rate: null,
    errors: null,
    p50: null,
    p99: null,
    bytes: null,
  };
  return [...before.slice(2 - kept), gap, sample];
}

/** Adds the statistics of an interval to the totals. */
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
