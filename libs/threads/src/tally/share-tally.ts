/**
 * Allocates additional memory for counter blocks. Threads request this memory from the control thread, so that it outlives the requesting
 * thread.
 */
import { question, type Question, type ThreadBus } from '../bus.ts';
import { Slab } from './block.ts';
import { Tally } from './tally.ts';
import type { TallyStore } from './tally-store.ts';

const moreMemory: Question<null, SharedArrayBuffer | null> = question('tally.grow');

export function openTally(memory: readonly SharedArrayBuffer[], bus: ThreadBus): Tally {
  const slabs = memory.map((each) => new Slab(each));
  const tally: Tally = new Tally(slabs, () => {
    // If there is no response, for example while the server is stopping, the thread continues with its current memory.
    bus.ask(moreMemory, null).then(
      (more) => void (more === null || tally.extend(new Slab(more))),
      () => undefined,
    );
  });
  return tally;
}

/** Registers the control thread's responder for memory requests. Called during setup. */
export function serveTally(store: TallyStore, bus: ThreadBus): void {
  bus.onAsk(moreMemory, (_body, thread) => store.grow(thread));
}
