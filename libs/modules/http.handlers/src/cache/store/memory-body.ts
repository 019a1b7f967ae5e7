/** A large body in shared memory, pinned until it is closed. */
import type { OpenBody } from '../serve.ts';
import type { Pinned } from './block-memory.ts';
import type { MemoryStore } from './memory-store.ts';

export class MemoryBody implements OpenBody {
  readonly #store: MemoryStore;
  #pinned: Pinned | null;

  constructor(store: MemoryStore, pinned: Pinned) {
    this.#store = store;
    this.#pinned = pinned;
  }

  read(from: number, length: number): Buffer {
    if (this.#pinned === null) throw new Error('the body is closed');
    return this.#store.readBody(this.#pinned, from, length);
  }

  close(): void {
    const pinned = this.#pinned;
    this.#pinned = null;
    if (pinned !== null) this.#store.memory.release(pinned);
  }
}
