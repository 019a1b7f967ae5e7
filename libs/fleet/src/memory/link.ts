/** Connection between a member and an in-memory store, where simulations inject faults. */
import { guarded, taskOf } from '@sluice/base';

/** Called for each operation. If either method rejects, the operation rejects. */
export interface Link {
  /** Called before the store executes the operation. A rejection means that the store did not receive the operation. */
  send(operation: string): Promise<void>;
  /** Called after the store has executed the operation. A rejection means that the response was lost. */
  receive(operation: string): Promise<void>;
  /** Called when a watch has entries to deliver. Call `deliver` now or later, or `cut` to restart the watch at the same position. */
  watched(deliver: () => void, cut: () => void): void;
}

/** A link without faults. */
export const directLink: Link = {
  send: async () => {},
  receive: async () => {},
  watched: (deliver) => queueMicrotask(guarded(taskOf('sluice.fleet'), deliver)),
};
