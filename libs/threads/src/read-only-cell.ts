/** Read-only views of shared cells, for configuration rehearsals (dry runs). */
import type { SharedCell } from './shared-cells.ts';

/** Returns a read-only view of a cell. A modifying method does not modify the cell, but returns the value that the real method would return. */
export function readOnlyCell(cell: SharedCell): SharedCell {
  return {
    key: cell.key,
    get: (counter) => cell.get(counter),
    set: () => {},
    add: (counter, delta) => (cell.get(counter) + delta) | 0,
    compareExchange: (counter) => cell.get(counter),
    enter: (counter) => cell.get(counter) + 1,
    enterBelow: (counter, limit) => cell.get(counter) < limit,
    leave: (counter) => cell.get(counter),
    owe: () => {},
    wait: (counter, value, time) => cell.wait(counter, value, time),
    notify: () => {},
    number: (index) => cell.number(index),
    setNumber: () => {},
    release: () => {},
  };
}
