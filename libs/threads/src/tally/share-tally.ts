/** How a thread gets more memory for its tally: it asks the control thread, whose memory outlives it. */
import { question, type Question, type ThreadBus } from '../bus.ts';
import { Slab } from './block.ts';
import { Tally } from './tally.ts';
import type { TallyStore } from './tally-store.ts';

const moreMemory: Question<null, SharedArrayBuffer | null> = question('tally.grow');

/** The tally of a thread, which has been given the memory to begin with. */
export function openTally(memory: readonly SharedArrayBuffer[], bus: ThreadBus): Tally {
  const slabs = memory.map((each) => new Slab(each));
  const tally: Tally = new Tally(slabs, () => {
    // Without a response, as where the server stops, it goes on with what it has.
    bus.ask(moreMemory, null).then(
      (more) => void (more === null || tally.extend(new Slab(more))),
      () => undefined,
    );
  });
  return tally;
}

/** Lets the control thread give memory to those that ask. Called when it is assembled. */
export function serveTally(store: TallyStore, bus: ThreadBus): void {
  bus.onAsk(moreMemory, (_body, thread) => store.grow(thread));
}
