/** Cells that can be looked at and not changed, for rehearsals. */
import type { SharedCell } from './shared-cells.ts';

/** The same cell: what would change it does nothing, and gives what it would give. */
export function readOnlyCell(cell: SharedCell): SharedCell {
  return {
    key: cell.key,
    get: (counter) => cell.get(counter),
    set: () => {},
    add: (counter, delta) => (cell.get(counter) + delta) | 0,
    compareExchange: (counter) => cell.get(counter),
    enter: (counter) => cell.get(counter) + 1,
    leave: (counter) => cell.get(counter),
    number: (index) => cell.number(index),
    setNumber: () => {},
    release: () => {},
  };
}
