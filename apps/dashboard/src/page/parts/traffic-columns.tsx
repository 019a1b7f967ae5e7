/** The columns of a list that say how busy each of its rows is. */
import { milliseconds, percent, short } from '../base/format.ts';
import { Live } from './live.tsx';
import { numberColumns, type Column } from './table.tsx';
import { failures, type Counts } from '../state/stats.ts';

/** The heads of {@link RateCells}. */
export const rateColumns: readonly Column[] = numberColumns('req/s', '5xx %');

/** The heads of {@link TrafficCells}. */
export const trafficColumns: readonly Column[] = [...rateColumns, ...numberColumns('p50 latency')];

interface Rates {
  /** Of everything that the row is about; empty where nothing was counted. */
  readonly counts: readonly Counts[];
  /** Over how long. */
  readonly seconds: number;
}

/** The cells of one row: how many requests, and how many of them failed. */
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
  /** `undefined` where nothing was counted. */
  readonly counts: Counts | undefined;
  /** Over how long. */
  readonly seconds: number;
  /** Milliseconds that half of the requests take at most, where {@link counts} do not say it. */
  readonly latency?: number | null;
}

/** The cells of one row: its rates, and how long requests take. */
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
