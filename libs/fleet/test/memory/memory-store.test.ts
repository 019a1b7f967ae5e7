import { expect } from 'chai';
import {
  beginning,
  entryAfter,
  headAt,
  MemoryCluster,
  MemoryStore,
  type Entry,
  type FleetStore,
  type Head,
} from '@sluice/fleet';
import { storeCases } from '@sluice/fleet/conformance';

describe('MemoryStore', () => {
  for (const { title, run } of storeCases) {
    it(title, async () => {
      const cluster = new MemoryCluster();
      const opened: FleetStore[] = [];
      await run(() => {
        const store = new MemoryStore(cluster);
        opened.push(store);
        return store;
      });
      for (const store of opened) await store.close();
    });
  }

  it('a watch on a MemoryStore reports lost entries, and does not deliver entries of the new history', async () => {
    const cluster = new MemoryCluster();
    const store = new MemoryStore(cluster);
    const next = (head: Head, op: string): Entry =>
      entryAfter(head, { op, who: 'a', when: 1, patch: [], inverse: [], requires: [] });
    const start = beginning('lineage');
    const first = next(start, '1');
    const lost = next(headAt('lineage', first), '2');
    await store.swap(null, 'lineage', [first, lost]);
    const seen: (string | number)[] = [];
    const watcher = {
      entry: ({ rev }: Entry) => void seen.push(rev),
      trimmed: () => void seen.push('trimmed'),
      forked: (head: Head | null) => void seen.push(`forked at ${head?.rev}`),
      broken: () => undefined,
    };
    store.watch(2, watcher);
    await store.head();
    cluster.log.pop();
    cluster.head = headAt('lineage', first);
    const kept = next(cluster.head, '3');
    await store.swap(cluster.head, 'lineage', [kept, next(headAt('lineage', kept), '4')]);
    await store.head();
    store.watch(9, watcher);
    await store.head();
    expect(seen).to.deep.equal([2, 'forked at 3', 'forked at 3']);
    await store.close();
  });
});
