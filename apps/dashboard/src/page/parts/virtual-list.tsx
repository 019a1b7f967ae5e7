/** A scrolling list that renders only the visible rows and some adjacent rows. All rows have the same height. */
import type { ComponentChildren, RefObject } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Height of a row in pixels. Must match `--row` in tokens.css. */
const rowHeight = matchMedia('(pointer: coarse)').matches ? 44 : 32;

/** Number of rows rendered above and below the visible rows. */
const around = 20;

interface VirtualListProps<T> {
  readonly rows: readonly T[];
  readonly label: string;
  readonly role: 'treegrid' | 'grid' | 'log';
  /** Index of the row with keyboard focus; -1 for none. */
  readonly active?: number;
  readonly follows?: boolean;
  readonly header?: ComponentChildren;
  /** Called when the user has scrolled. `atEnd` is true if the last row is visible. */
  readonly onScrolled?: (atEnd: boolean) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly idOf?: (index: number) => string;
  readonly render: (row: T, index: number) => ComponentChildren;
}

/** Renders the list at the height of its container. */
export function VirtualList<T>({
  rows,
  label,
  role,
  active = -1,
  follows = false,
  header,
  onScrolled,
  onKeyDown,
  idOf,
  render,
}: VirtualListProps<T>) {
  const frame = useRef<HTMLDivElement>(null);
  const above = header === undefined ? 0 : rowHeight;
  const top = useSignal(0);
  const height = useSignal(600);
  useLayoutEffect(() => observed(frame, (value) => void (height.value = value)), []);
  useEffect(() => {
    const element = frame.current;
    if (element === null || active < 0) return;
    const at = active * rowHeight;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + rowHeight > element.scrollTop + element.clientHeight - above)
      element.scrollTop = at + rowHeight - element.clientHeight + above;
  }, [active, rows.length === 0]);
  // Scroll before painting, so that new rows and the new scroll position appear together.
  useLayoutEffect(() => {
    if (follows && frame.current !== null) frame.current.scrollTop = frame.current.scrollHeight;
  }, [follows, rows]);
  const first = Math.max(0, Math.floor(top.value / rowHeight) - around);
  const last = Math.min(rows.length, Math.ceil((top.value + height.value) / rowHeight) + around);
  return (
    <div
      ref={frame}
      class="virtual"
      role={role}
      tabIndex={0}
      aria-label={label}
      aria-rowcount={role === 'log' ? undefined : rows.length + (header === undefined ? 0 : 1)}
      aria-activedescendant={active >= 0 && idOf !== undefined ? idOf(active) : undefined}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        top.value = scrollTop;
        onScrolled?.(scrollTop + clientHeight >= scrollHeight - rowHeight / 2);
      }}
      onKeyDown={onKeyDown}
    >
      {header}
      <div role="presentation" class="virtual-room" style={{ height: `${rows.length * rowHeight}px` }}>
        <div role="presentation" class="virtual-rows" style={{ paddingBlockStart: `${first * rowHeight}px` }}>
          {rows.slice(first, last).map((row, index) => render(row, first + index))}
        </div>
      </div>
    </div>
  );
}

function observed(frame: RefObject<HTMLDivElement | null>, take: (height: number) => void): () => void {
  const observer = new ResizeObserver(([entry]) => take(entry?.contentRect.height ?? 0));
  if (frame.current !== null) observer.observe(frame.current);
  return () => observer.disconnect();
}
