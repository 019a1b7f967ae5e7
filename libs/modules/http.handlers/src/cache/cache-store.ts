/** Store for the responses of a cache, in memory and optionally on disk. */
import type { HeaderMap } from '@sluice/http1';
import type { DiskStore } from './disk/disk-store.ts';
import { MemoryBody } from './store/memory-body.ts';
import type { MemoryStore } from './store/memory-store.ts';
import type { OpenBody } from './store/open-body.ts';
import { Stored, type StoredHead } from './store/stored.ts';

/** Number of memory buckets to inspect per event loop turn. */
const bucketsPerTurn = 2048;
/** Number of objects on disk to inspect per event loop turn. */
const objectsPerTurn = 500;

/** Description of a stored response, for the admin API. */
export interface StoredObject {
  readonly key: string;
  readonly head: StoredHead;
  readonly bodyLength: number;
  readonly store: 'memory' | 'disk';
}

export class CacheStore {
  readonly memory: MemoryStore;
  readonly disk: DiskStore | null;
  /** Keys that are being loaded from disk. Other requests for the same key wait. */
  readonly #loading = new Map<string, Promise<unknown>>();

  constructor(memory: MemoryStore, disk: DiskStore | null) {
    this.memory = memory;
    this.disk = disk;
  }

  /** Reports whether {@link load} might find a response for a key. */
  mayHaveOnDisk(key: string): boolean {
    return this.disk !== null && this.disk.has(key);
  }

  /** Loads the matching response from disk. Returns `null` if there is none or if loading takes more than `timeout` milliseconds. */
  async load(key: string, headers: HeaderMap, timeout: number): Promise<Stored | null> {
    if (this.disk === null) return null;
    const earlier = this.#loading.get(key);
    if (earlier !== undefined) {
      await earlier;
      const loaded = this.memory.find(key, headers);
      if (loaded !== null) return loaded;
    }
    const since = Date.now();
    const reading = this.disk.loadKey(key, headers);
    this.#loading.set(key, reading);
    let found: Awaited<typeof reading>;
    try {
      found = await (timeout > 0 ? within(reading, timeout) : reading);
    } finally {
      if (this.#loading.get(key) === reading) this.#loading.delete(key);
    }
    if (found === null || this.memory.isInvalid(key, since)) return null;
    const { head, body } = found;
    return this.memory.put(key, head, [body]) ?? new Stored(key, head, { length: body.length, bytes: body, at: 0 });
  }

  open(stored: Stored): OpenBody | null {
    const pinned = this.memory.pin(stored);
    return pinned === null ? null : new MemoryBody(this.memory, pinned);
  }

  /**
   * Stores a response. `since` is the time of the request in milliseconds since the Unix epoch. Returns false if there is not enough space
   * or the key has been invalidated since then.
   */
  put(key: string, head: StoredHead, body: readonly Buffer[], since: number): boolean {
    if (this.memory.isInvalid(key, since)) return false;
    this.disk?.put(key, head, body);
    return this.memory.put(key, head, body) !== null || this.disk !== null;
  }

  /**
   * Replaces the headers of a stored response and keeps its body. Returns `null` if the response has been removed. The old headers remain
   * on disk, so the response is revalidated after it is loaded from disk.
   */
  update(stored: Stored, head: StoredHead, since: number): Stored | null {
    if (this.memory.isInvalid(stored.key, since)) return null;
    let { body } = stored;
    if (body === null) {
      const pinned = this.memory.pin(stored);
      if (pinned === null) return null;
      body = this.memory.readBody(pinned, 0, stored.bodyLength);
      this.memory.memory.release(pinned);
    }
    return this.memory.put(stored.key, head, [body]);
  }

  /** Removes all responses with the given key. Returns the number of removed responses. */
  remove(key: string): number {
    const inMemory = this.memory.remove(key);
    const onDisk = this.disk?.remove(key) ?? 0;
    return Math.max(inMemory, onDisk);
  }

  /** Calls `visit` with stored responses until it returns false. Responses that change concurrently may be missed. */
  async visit(visit: (object: StoredObject) => boolean): Promise<void> {
    const seen = new Set<string>();
    const { memory, disk } = this;
    for (let bucket = 0; bucket < memory.memory.buckets; bucket++) {
      for (const stored of memory.inBucket(bucket)) {
        if (disk !== null) seen.add(stored.key);
        if (!visit({ key: stored.key, head: stored, bodyLength: stored.bodyLength, store: 'memory' })) return;
      }
      if (bucket % bucketsPerTurn === bucketsPerTurn - 1) await nextTurn();
    }
    if (disk === null) return;
    let count = 0;
    for (const { key, head, bodyLength } of disk.objects()) {
      if (!seen.has(key) && !visit({ key, head, bodyLength, store: 'disk' })) return;
      if (++count % objectsPerTurn === 0) await nextTurn();
    }
  }

  /** Removes all responses whose key matches. Returns the number of removed keys. */
  async removeWhere(matches: (object: StoredObject) => boolean): Promise<number> {
    const keys = new Set<string>();
    await this.visit((object) => {
      if (matches(object)) keys.add(object.key);
      return true;
    });
    for (const key of keys) this.remove(key);
    return keys.size;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function within<T>(reading: Promise<T>, timeout: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, timeout, null);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}
