import type { StoreFaults } from '../src/faults.ts';

/** Faults that are distinguishable by their message. */
export const faults: StoreFaults = {
  refused: (message, cause) => new Error(`refused: ${message}`, { cause }),
  unknown: (cause) => new Error('unknown', { cause }),
};
