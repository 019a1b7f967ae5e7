/** A large response body in shared memory. It stays pinned until it is closed. */
import type { Pinned } from './block-memory.ts';
import type { MemoryStore } from './memory-store.ts';
import type { OpenBody } from './open-body.ts';

export class MemoryBody implements OpenBody {
  readonly #store: MemoryStore;
  readonly #pinned: Pinned;

  constructor(store: MemoryStore, pinned: Pinned) {
    this.#store = store;
    this.#pinned = pinned;
  }

  read(from: number, length: number): Buffer {
    return this.#store.readBody(this.#pinned, from, length);
  }

  close(): void {
    this.#store.memory.release(this.#pinned);
  }
}
