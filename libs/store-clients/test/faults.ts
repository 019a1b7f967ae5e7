import type { StoreFaults } from '../src/faults.ts';

/** Faults that can be told by their text. */
export const faults: StoreFaults = {
  refused: (message, cause) => new Error(`refused: ${message}`, { cause }),
  unknown: (cause) => new Error('unknown', { cause }),
};
