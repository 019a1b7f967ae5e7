/** Formats the history for `GET /stats/history`. */
import { kept, type Step } from './tracked.ts';
import { serverFields, upstreamFields, type StatsHistory } from './stats-history.ts';

/** Requested part of the history. Times are in milliseconds since 1970. */
export interface HistoryQuery {
  /** Upstream address; `null` for the server itself. */
  readonly upstream: string | null;
  readonly step: Step;
  readonly from: number;
  readonly to: number;
}

/** Returns the response document. Returns `null` if the upstream is not tracked. */
export function historyJson(history: StatsHistory, { upstream, step, from, to }: HistoryQuery): object | null {
  const reading = history.read(upstream, step, from, to);
  if (reading === null) return null;
  const fields = upstream === null ? serverFields : upstreamFields;
  const length = reading.series[0]?.length ?? 0;
  return {
    step,
    from: new Date(reading.from).toISOString(),
    to: new Date(reading.from + length * step * 1000).toISOString(),
    kept,
    series: Object.fromEntries(fields.map((name, index) => [name, reading.series[index]])),
    upstreams: history.upstreams,
  };
}

/** Returns the shortest step for which the history covers a range of `seconds`. */
export function stepFor(seconds: number): Step {
  return kept.find((each) => each.seconds >= seconds)?.step ?? kept[1].step;
}

/** Longest range covered by the history, in seconds. */
export const maxRange: number = kept[1].seconds;
