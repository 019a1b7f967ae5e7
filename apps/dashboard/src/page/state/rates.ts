/** Request and failure rates of many items, such as all upstreams. The rates are computed from two readings of `GET /stats`. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../api/client.ts';
import { calls } from '../api/calls.ts';
import { has } from './server.ts';
import { failures, type Counts, type Stats } from './stats.ts';

/** Request rate of one item, such as an upstream. */
export interface Rate {
  readonly perSecond: number;
  /** Fraction of failed requests, from 0 to 1. */
  readonly failed: number;
}

/** Interval between readings, in milliseconds. The second reading happens sooner, so that rates appear quickly. */
const every = 10_000;
const soon = 2000;

/** Maximum number of entries in the server's response. */
const top = 1000;

/** Returns the rates, keyed by upstream address. Empty until the second reading. */
export function useUpstreamRates(): ReadonlyMap<string, Rate> {
  const rates = useSignal<ReadonlyMap<string, Rate>>(new Map());
  useEffect(() => {
    if (!has(calls.stats)) return undefined;
    const abort = new AbortController();
    let before: Stats | null = null;
    let timer: ReturnType<typeof setTimeout>;
    const read = async (): Promise<void> => {
      const isFirst = before === null;
      if (!document.hidden) {
        try {
          const { json } = await ask(calls.stats({}, { query: { top, lists: 'upstreams' } }), abort.signal);
          const now = json as Stats;
          if (before !== null) rates.value = ratesBetween(before, now);
          before = now;
        } catch {
          // Clear the rates. They are unknown until the next successful reading.
          rates.value = new Map();
        }
      }
      if (!abort.signal.aborted) timer = setTimeout(() => void read(), isFirst ? soon : every);
    };
    void read();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, []);
  return rates.value;
}

/** Computes the rates from two readings. The rates are keyed by upstream address. */
export function ratesBetween(before: Stats, now: Stats): ReadonlyMap<string, Rate> {
  const seconds = now.seconds - before.seconds;
  const known = new Map(before.upstreams.map((each) => [each.address, each]));
  const rates = new Map<string, Rate>();
  // Return no rates if the server process was restarted, because its counters were reset.
  if (seconds <= 0 || now.since !== before.since) return rates;
  for (const each of now.upstreams) {
    const { requests, failed } = minus(each, known.get(each.address));
    rates.set(each.address, { perSecond: requests / seconds, failed: requests === 0 ? 0 : failed / requests });
  }
  return rates;
}

/** Returns the increase of a counter, at least 0. Counters can decrease, because the server may merge addresses with few requests. */
function minus(now: Counts, before: Counts | undefined): { readonly requests: number; readonly failed: number } {
  if (before === undefined) return { requests: now.requests, failed: failures(now) };
  return {
    requests: Math.max(0, now.requests - before.requests),
    failed: Math.max(0, failures(now) - failures(before)),
  };
}
