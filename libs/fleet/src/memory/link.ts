/** Connection between a member and an in-memory store. Simulations inject faults into this connection. */
import { guarded, taskOf } from '@sluice/base';

/** Hooks that run for each store operation. If `send` or `receive` rejects, the operation rejects. */
export interface Link {
  /** Called before the store executes an operation. A rejection simulates a store that did not receive the operation. */
  send(operation: string): Promise<void>;
  /** Called after the store has executed an operation. A rejection simulates a lost response. */
  receive(operation: string): Promise<void>;
  /** Called when a watch has entries to deliver. Call `deliver` immediately or later. Call `cut` to restart the watch at the same position. */
  watched(deliver: () => void, cut: () => void): void;
}

/** A connection that injects no faults. */
export const directLink: Link = {
  send: async () => {},
  receive: async () => {},
  watched: (deliver) => queueMicrotask(guarded(taskOf('sluice.fleet'), deliver)),
};
