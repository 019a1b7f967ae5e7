import type { StoreFaults } from '../src/faults.ts';

/** Faults that can be distinguished by their text. */
export const faults: StoreFaults = {
  refused: (message, cause) => new Error(`refused: ${message}`, { cause }),
  unknown: (cause) => new Error('unknown', { cause }),
};
