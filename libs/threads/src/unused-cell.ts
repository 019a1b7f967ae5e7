/** Placeholder that replaces a released cell in objects that may still be in use. */
import type { SharedCell } from './shared-cells.ts';

/** Placeholder for a released cell. All values are 0, and changes have no effect. */
export const unusedCell: SharedCell = {
  key: '',
  get: () => 0,
  set: () => {},
  add: (_counter, delta) => delta,
  compareExchange: () => 0,
  enter: () => 1,
  enterBelow: (_counter, limit) => limit > 0,
  leave: () => 0,
  owe: () => {},
  wait: () => Promise.resolve(),
  notify: () => {},
  number: () => 0,
  setNumber: () => {},
  release: () => {},
};
