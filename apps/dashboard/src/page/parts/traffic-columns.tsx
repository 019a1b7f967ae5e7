/** Table columns for the request rate, the error rate and the latency of each row. */
import { milliseconds, percent, short } from '../base/format.ts';
import { Live } from './live.tsx';
import { numberColumns, type Column } from './table.tsx';
import { failures, type Counts } from '../state/stats.ts';

/** Column headers of {@link RateCells}. */
export const rateColumns: readonly Column[] = numberColumns('req/s', '5xx %');

/** Column headers of {@link TrafficCells}. */
export const trafficColumns: readonly Column[] = [...rateColumns, ...numberColumns('p50 latency')];

interface Rates {
  /** Counters to add up for the row; empty if nothing was counted. */
  readonly counts: readonly Counts[];
  /** Length of the interval. */
  readonly seconds: number;
}

/** Renders the cells of one row: request rate and percentage of failed requests. */
export function RateCells({ counts, seconds }: Rates) {
  const requests = counts.reduce((sum, each) => sum + each.requests, 0);
  const failed = counts.reduce((sum, each) => sum + failures(each), 0);
  const isCounted = counts.length > 0;
  return (
    <>
      <td class="number">
        <Live text={isCounted ? short(requests / Math.max(seconds, 0.001)) : '–'} />
      </td>
      <td class="number">
        <Live text={isCounted ? percent(failed, requests) : '–'} />
      </td>
    </>
  );
}

interface Traffic {
  /** `undefined` if nothing was counted. */
  readonly counts: Counts | undefined;
  /** Length of the interval. */
  readonly seconds: number;
  /** p50 latency in milliseconds, for counters without latencies. */
  readonly latency?: number | null;
}

/** Renders the cells of one row: rates and p50 latency. */
export function TrafficCells({ counts, seconds, latency = null }: Traffic) {
  return (
    <>
      <RateCells counts={counts === undefined ? [] : [counts]} seconds={seconds} />
      <td class="number">
        <Live text={milliseconds(counts?.latency_ms?.p50 ?? latency)} />
      </td>
    </>
  );
}
