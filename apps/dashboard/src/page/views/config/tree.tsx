/** The configuration tree. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Path } from '../../base/json.ts';
import { pointerOf } from '../../base/paths.ts';
import { above, rowsOf, search, summaryOf, type Row } from '../../base/tree.ts';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { shown } from '../../state/configuration.ts';

/** Initially expanded values. */
const atFirst = ['/apps', '/apps/http', '/apps/http/servers'];

/** Renders the tree and its search field. */
export function Tree({
  selected,
  find,
  onSelect,
  onFind,
}: {
  readonly selected: Path;
  readonly find: string;
  readonly onSelect: (path: Path) => void;
  readonly onFind: (text: string) => void;
}) {
  const open = useSignal<ReadonlySet<string>>(new Set(atFirst));
  const at = pointerOf(selected);
  useEffect(() => {
    open.value = new Set([...open.value, ...above(selected.slice(0, -1))]);
  }, [at]);
  const document = shown.value;
  const rows = useMemo(
    () => (find === '' ? rowsOf(document, open.value) : search(document, find)),
    [document, open.value, find],
  );
  const active = rows.findIndex(({ pointer }) => pointer === at);
  const toggle = ({ pointer }: Row, wanted: boolean): void => {
    const next = new Set(open.value);
    if (wanted) next.add(pointer);
    else next.delete(pointer);
    open.value = next;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[active];
    const to = targetOf(event.key, active, rows);
    if (to !== null) onSelect(rows[to]?.path ?? selected);
    else if (event.key === 'ArrowRight' && row?.inner === true) toggle(row, true);
    else if (event.key === 'ArrowLeft' && row?.open === true) toggle(row, false);
    else if (event.key === 'ArrowLeft' && row !== undefined && row.path.length > 1) onSelect(row.path.slice(0, -1));
    else return;
    event.preventDefault();
  };
  return (
    <div class="tree">
      <input
        type="search"
        placeholder="Search keys and values"
        aria-label="Search the configuration"
        value={find}
        onInput={(event) => onFind(event.currentTarget.value)}
      />
      <VirtualList
        rows={rows}
        label="Configuration"
        role="treegrid"
        active={active}
        idOf={(index) => `row-${index}`}
        onKeyDown={onKeyDown}
        render={(row, index) => (
          <TreeRow
            key={row.pointer}
            row={row}
            id={`row-${index}`}
            isSelected={index === active}
            whole={find !== ''}
            onSelect={() => onSelect(row.path)}
            onToggle={() => toggle(row, !row.open)}
          />
        )}
      />
      {rows.length === 0 && <p class="soft pad">{find === '' ? 'The configuration is empty.' : 'No matches.'}</p>}
    </div>
  );
}

function TreeRow({
  row,
  id,
  isSelected,
  whole,
  onSelect,
  onToggle,
}: {
  readonly row: Row;
  readonly id: string;
  readonly isSelected: boolean;
  readonly whole: boolean;
  readonly onSelect: () => void;
  readonly onToggle: () => void;
}) {
  const { depth, inner, open, position, size, key, path, value } = row;
  return (
    <div
      id={id}
      role="row"
      class={isSelected ? 'tree-row selected' : 'tree-row'}
      aria-level={depth + 1}
      aria-posinset={position}
      aria-setsize={size}
      aria-selected={isSelected}
      aria-expanded={inner ? open : undefined}
      style={{ paddingInlineStart: `${8 + depth * 14}px` }}
      onClick={onSelect}
      onDblClick={onToggle}
    >
      <span
        aria-hidden="true"
        class="twist"
        onClick={(event) => {
          event.stopPropagation();
          if (inner) onToggle();
        }}
      >
        {inner && !whole ? (open ? '▾' : '▸') : ''}
      </span>
      <span role="gridcell" class="tree-cell">
        <span class="key">{whole ? path.join(' › ') : typeof path.at(-1) === 'number' ? `[${key}]` : key}</span>{' '}
        <span class="brief">{summaryOf(value, path)}</span>
      </span>
    </div>
  );
}

/** Returns the row selected by a key press; `null` for other keys. */
function targetOf(key: string, active: number, rows: readonly Row[]): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    Home: 0,
    End: rows.length - 1,
    PageDown: active + 20,
    PageUp: active - 20,
  };
  const to = steps[key];
  return to === undefined ? null : Math.min(Math.max(to, 0), rows.length - 1);
}
