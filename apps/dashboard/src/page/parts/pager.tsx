/** Pages of a long list: the visible rows, and navigation between pages. */
import { useSignal } from '@preact/signals';
import { short } from '../base/format.ts';

/** Rows of a page, and the control to turn pages. */
interface Page<T> {
  readonly rows: readonly T[];
  readonly pager: ReturnType<typeof Pager> | null;
}

/** Shows a list in pages. If the list becomes shorter, shows the last page. */
export function usePages<T>(all: readonly T[], size: number, label: string): Page<T> {
  const wanted = useSignal(0);
  const last = Math.max(0, Math.ceil(all.length / size) - 1);
  const page = Math.min(wanted.value, last);
  const turn = (to: number): void => void (wanted.value = to);
  return {
    rows: all.slice(page * size, (page + 1) * size),
    pager: all.length <= size ? null : <Pager page={page} size={size} count={all.length} label={label} onTurn={turn} />,
  };
}

interface PagerProps {
  readonly page: number;
  readonly size: number;
  /** Number of rows on all pages. */
  readonly count: number;
  readonly label: string;
  readonly onTurn: (page: number) => void;
}

export function Pager({ page, size, count, label, onTurn }: PagerProps) {
  const first = page * size;
  const end = Math.min(first + size, count);
  return (
    <nav class="pager pad" aria-label={label}>
      <button type="button" disabled={page === 0} onClick={() => onTurn(page - 1)}>
        Previous
      </button>
      <span aria-live="polite">
        {first + 1}–{end} of {short(count)}
      </span>
      <button type="button" disabled={end >= count} onClick={() => onTurn(page + 1)}>
        Next
      </button>
    </nav>
  );
}
