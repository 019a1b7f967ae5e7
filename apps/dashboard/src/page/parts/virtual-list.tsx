/** A list of rows of one height, of which those are in the page that can be seen, and some around them. */
import type { ComponentChildren, RefObject } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Height of a row, as the style has it. */
const rowHeight = matchMedia('(pointer: coarse)').matches ? 44 : 32;

/** Rows beyond both ends of what is seen. */
const around = 20;

/** A list. */
interface VirtualListProps<T> {
  readonly rows: readonly T[];
  readonly label: string;
  readonly role: 'treegrid' | 'listbox' | 'log';
  /** Index of the row that the keyboard is at; -1 for none. */
  readonly active?: number;
  /** Keeps the end in view while it is there. */
  readonly follows?: boolean;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly idOf?: (index: number) => string;
  readonly render: (row: T, index: number) => ComponentChildren;
}

/** Draws it. It is as high as its place lets it be. */
export function VirtualList<T>({
  rows,
  label,
  role,
  active = -1,
  follows = false,
  onKeyDown,
  idOf,
  render,
}: VirtualListProps<T>) {
  const frame = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  useLayoutEffect(() => observed(frame, (value) => void (height.value = value)), []);
  useEffect(() => {
    const element = frame.current;
    if (element === null || active < 0) return;
    const at = active * rowHeight;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = at + rowHeight - element.clientHeight;
  }, [active, rows.length === 0]);
  // Before it is drawn: rows that come and the way to them are seen together.
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
      aria-rowcount={role === 'treegrid' ? rows.length : undefined}
      aria-activedescendant={active >= 0 && idOf !== undefined ? idOf(active) : undefined}
      onScroll={(event) => void (top.value = event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
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
