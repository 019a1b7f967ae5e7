/** Statistics history that the server keeps. The page reads the whole range once, and then only new samples. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask, isUnreachable, reasonOf } from '../api/client.ts';
import { calls } from '../api/calls.ts';

export type Values = readonly (number | null)[];

/** Statistics over time. */
export interface StatsHistory {
  /** Length of a step, in seconds. */
  readonly step: number;
  /** Start time of the first step, in milliseconds since 1970. */
  readonly from: number;
  readonly series: Readonly<Record<string, Values>>;
  readonly upstreams: readonly { readonly address: string; readonly downtime_seconds: number }[];
}

/** Response of `GET /stats/history`. */
interface Response extends Omit<StatsHistory, 'from'> {
  readonly from: string;
  readonly to: string;
}

/** Reads the statistics history of the server, or of one upstream if `upstream` is not empty. `range` is in seconds. */
export function useStatsHistory(
  range: number,
  upstream: string,
): { readonly value: StatsHistory | null; readonly problem: string | null } {
  const value = useSignal<StatsHistory | null>(null);
  const problem = useSignal<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let since: string | null = null;
    value.value = null;
    const read = async (): Promise<void> => {
      try {
        const query = { range: `${range}s`, ...(upstream === '' ? {} : { upstream }) };
        const call = calls.statsHistory({}, { query: since === null ? query : { ...query, since } });
        const news = (await ask(call, abort.signal)).json as Response;
        since = news.to;
        value.value = joined(value.peek(), news, range);
        problem.value = null;
      } catch (error) {
        if (abort.signal.aborted) return;
        if (!isUnreachable(error)) problem.value = reasonOf(error);
        // Redraw the chart, because its time axis advances even without new values.
        else if (value.peek() !== null) value.value = { ...(value.peek() as StatsHistory) };
      }
    };
    const next = async (): Promise<void> => {
      if (!document.hidden) await read();
      if (abort.signal.aborted) return;
      // The server takes samples at multiples of the step. Each sample is available one second later.
      const step = (value.peek()?.step ?? 10) * 1000;
      timer = setTimeout(() => void next(), step - (Date.now() % step) + 1000);
    };
    void next();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [range, upstream]);
  return { value: value.value, problem: problem.value };
}

/** Appends new steps to the history, and drops the steps that are older than the range. */
export function joined(known: StatsHistory | null, news: Response, range: number): StatsHistory {
  const from = Date.parse(news.from);
  const step = news.step * 1000;
  const all = { step: news.step, from, series: news.series, upstreams: news.upstreams };
  if (known === null || known.step !== news.step) return all;
  const length = Math.round((from - known.from) / step);
  const added = lengthOf(news.series);
  const dropped = Math.max(0, length + added - Math.ceil(range / news.step));
  const series = Object.fromEntries(
    Object.entries(news.series).map(([name, values]) => {
      const before = known.series[name] ?? [];
      // Steps missing in both responses have no known value.
      const missing = Array<null>(Math.max(0, length - before.length)).fill(null);
      return [name, [...before.slice(0, length), ...missing, ...values].slice(dropped)];
    }),
  );
  return { ...all, from: known.from + dropped * step, series };
}

/** Returns the number of steps in a statistics history. */
export function lengthOf(series: StatsHistory['series']): number {
  return Object.values(series)[0]?.length ?? 0;
}

/** Adds the values of several series for each step. A step without any values is `null`. */
export function sumOf(...all: readonly (Values | undefined)[]): Values {
  const [first = []] = all;
  return first.map((_, at) => {
    const known = all.flatMap((values) => values?.[at] ?? []);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
  });
}

/** Returns a part as a percentage of a whole, for each step. A step is `null` if either value is unknown, and 0 if the whole is 0. */
export function percentOf(part: Values, whole: Values): Values {
  return whole.map((all, at) => {
    const some = part[at] ?? null;
    return all === null || some === null ? null : all === 0 ? 0 : (some / all) * 100;
  });
}
