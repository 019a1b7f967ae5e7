/** What is between a member and a store in memory. A simulation puts faults there. */
import { guarded, taskOf } from '@sluice/base';

/** Called for each operation. What either rejects with is what the operation rejects with. */
export interface Link {
  /** Before the store does it: rejects where the store never hears of it. */
  send(operation: string): Promise<void>;
  /** After the store has done it: rejects where the response is lost. */
  receive(operation: string): Promise<void>;
  /** A watch has entries to deliver: `deliver` them, now or later; or `cut` it, and it begins again where it was. */
  watched(deliver: () => void, cut: () => void): void;
}

/** A link that does nothing. */
export const directLink: Link = {
  send: async () => {},
  receive: async () => {},
  watched: (deliver) => queueMicrotask(guarded(taskOf('sluice.fleet'), deliver)),
};
