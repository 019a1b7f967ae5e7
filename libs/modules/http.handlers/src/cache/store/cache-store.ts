/** The stored responses of a cache: in memory, and on disk if it has one. */
import type { HeaderMap } from '@sluice/http1';
import type { OpenBody } from '../serve.ts';
import { MemoryBody } from './memory-body.ts';
import type { MemoryStore } from './memory-store.ts';
import { Stored, type StoredHead } from './stored.ts';

/** The store as one thread sees it. */
export class CacheStore {
  readonly memory: MemoryStore;

  constructor(memory: MemoryStore) {
    this.memory = memory;
  }

  /** Reports whether {@link load} may find a response of this key. */
  mayHaveOnDisk(_key: string): boolean {
    return false;
  }

  /** Loads the responses of a key from disk, and returns the one that a request selects. */
  load(_key: string, _headers: HeaderMap): Promise<Stored | null> {
    return Promise.resolve(null);
  }

  /** Opens a body that is not in memory of this thread; `null` if it was removed. */
  open(stored: Stored): OpenBody | null {
    const pinned = this.memory.pin(stored);
    return pinned === null ? null : new MemoryBody(this.memory, pinned);
  }

  /** Stores a response; `null` if there is no room. */
  put(key: string, head: StoredHead, body: readonly Buffer[]): Stored | null {
    return this.memory.put(key, head, body);
  }

  /** Stores a response with new fields and the body that it has; `null` if it was removed. */
  update(stored: Stored, head: StoredHead): Stored | null {
    let { body } = stored;
    if (body === null) {
      const pinned = this.memory.pin(stored);
      if (pinned === null) return null;
      body = this.memory.readBody(pinned, 0, stored.bodyLength);
      this.memory.memory.release(pinned);
    }
    return this.memory.put(stored.key, head, [body]);
  }

  /** Removes the responses of a key; returns how many there were. */
  remove(key: string): number {
    return this.memory.remove(key);
  }

  /** Tells other threads that this one fetches a key. */
  announce(key: string): void {
    this.memory.announce(key);
  }

  /** Tells other threads that this one has fetched a key, or failed to. */
  announceEnd(key: string): void {
    this.memory.announceEnd(key);
  }

  /** Returns a promise that resolves when another thread has fetched a key; `null` if none fetches it. */
  remoteFetch(key: string): Promise<void> | null {
    return this.memory.remoteFetch(key);
  }
}
