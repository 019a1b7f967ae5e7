/** A thread that stores, reads and removes responses in shared memory. It verifies all data that it reads. */
import { parentPort, workerData } from 'node:worker_threads';
import { HeaderMap } from '@sluice/http1';
import { MemoryStore } from '../../src/cache/store/memory-store.ts';
import type { StoredHead } from '../../src/cache/store/stored.ts';

const { memory, thread, rounds } = workerData as { memory: SharedArrayBuffer; thread: number; rounds: number };
const store = new MemoryStore(memory, thread);
const none = new HeaderMap();
const freshness = {
  initialAge: 0,
  lifetime: 60,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  noCache: false,
  mustRevalidate: false,
  immutable: false,
};

/** Bodies of the same key have different lengths, and every byte identifies the writer. */
function headOf(writer: string, length: number): StoredHead {
  const names = ['x-writer', 'x-length'];
  const values = [writer, String(length)];
  return {
    status: 200,
    names,
    values,
    varyNames: [],
    varyValues: [],
    time: Date.now(),
    freshness,
    tags: [],
  };
}

const bodyOf = (key: string, writer: string, length: number): Buffer => Buffer.alloc(length, `${key}/${writer};`);

let state = thread * 7919;
const random = (below: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (state >>> 8) % below;
};

let read = 0;
let wrong = 0;
for (let i = 0; i < rounds; i++) {
  const key = `key ${random(40)}`;
  const action = random(10);
  if (action < 3) {
    const writer = `${thread}-${i}`;
    const length = random(8) === 0 ? 1_200_000 : random(30_000);
    store.put(key, headOf(writer, length), [bodyOf(key, writer, length)]);
  } else if (action === 3) store.remove(key);
  else {
    const stored = store.find(key, none);
    if (stored === null) continue;
    let { body } = stored;
    if (body === null) {
      const pinned = store.pin(stored);
      if (pinned === null) continue;
      const half = Math.floor(stored.bodyLength / 2);
      const parts = [store.readBody(pinned, 0, half), store.readBody(pinned, half, stored.bodyLength - half)];
      store.memory.release(pinned);
      body = Buffer.concat(parts);
    }
    read++;
    const expected = bodyOf(stored.key, stored.field('x-writer'), Number(stored.field('x-length')));
    if (stored.key !== key || !body.equals(expected)) wrong++;
  }
}
parentPort?.postMessage({ read, wrong }, []);
