/** The columns of a list that say how busy each of its rows is. */
import { milliseconds, percent, short } from '../base/format.ts';
import { Live } from './live.tsx';
import { numberColumns, type Column } from './table.tsx';
import { failures, type Counts } from '../state/stats.ts';

/** Their heads. */
export const trafficColumns: readonly Column[] = numberColumns('per second', 'errors', 'half within');

interface Traffic {
  /** `undefined` where nothing was counted. */
  readonly counts: Counts | undefined;
  /** Over how long. */
  readonly seconds: number;
  /** Milliseconds that half of the requests take at most, where {@link counts} do not say it. */
  readonly latency?: number | null;
}

/** The cells of one row. */
export function TrafficCells({ counts, seconds, latency = null }: Traffic) {
  return (
    <>
      <td class="number">
        <Live text={counts === undefined ? '–' : short(counts.requests / Math.max(seconds, 0.001))} />
      </td>
      <td class="number">
        <Live text={counts === undefined ? '–' : percent(failures(counts), counts.requests)} />
      </td>
      <td class="number">
        <Live text={milliseconds(counts?.latency_ms?.p50 ?? latency)} />
      </td>
    </>
  );
}
