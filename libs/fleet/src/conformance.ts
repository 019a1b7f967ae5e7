/**
 * Conformance tests for fleet stores, for use with any test runner: `for (const { title, run } of storeCases) it(title, () => run(open))`.
 *
 * Each call of `open` opens the store of the same cluster for another member. Each test case requires an empty cluster.
 */
import { itemAt } from '@sluice/base';
import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beginning, entryAfter, headAt, type Entry, type Head } from './entry.ts';
import type { FleetStore, Watcher } from './store.ts';

/** Opens the store of the test case's cluster. */
type OpenStore = () => FleetStore;

interface StoreCase {
  readonly title: string;
  run(open: OpenStore): Promise<void>;
}

const lineage = 'a-lineage';
const start = beginning(lineage);

function entry(head: Head, value: string, op: string = randomUUID()): Entry {
  const patch = [{ op: 'replace', path: '/apps', value }];
  return entryAfter(head, { op, who: 'member', when: 1, patch, inverse: [], requires: ['http.handlers.headers'] });
}

/** Creates a chain of log entries that follows `head`. */
function chain(head: Head, count: number, size = 1): Entry[] {
  const entries: Entry[] = [];
  for (let at = head; entries.length < count; at = headAt(lineage, entries.at(-1) as Entry))
    entries.push(entry(at, `${at.rev}`.padEnd(size, 'x')));
  return entries;
}

async function fill(store: FleetStore, count: number): Promise<Entry[]> {
  const entries = chain(start, count);
  for (let i = 0; i < count; i += 50) {
    const base = i === 0 ? null : headAt(lineage, itemAt(entries, i - 1));
    equal((await store.swap(base, lineage, entries.slice(i, i + 50))).outcome, 'swapped');
  }
  return entries;
}

/** Watcher that collects the entries it receives. */
class Seen implements Watcher {
  readonly entries: Entry[] = [];
  trims = 0;
  forks = 0;
  #wake: () => void = () => {};

  entry(each: Entry): void {
    this.entries.push(each);
    this.#wake();
  }

  trimmed(): void {
    this.trims++;
    this.#wake();
  }

  forked(): void {
    this.forks++;
    this.#wake();
  }

  broken(): void {}

  async until(done: () => boolean): Promise<void> {
    const late = Date.now() + 10_000;
    while (!done()) {
      ok(Date.now() < late, `the watch delivered only ${this.entries.length} entries`);
      await Promise.race([new Promise<void>((wake) => (this.#wake = wake)), sleep(100)]);
    }
  }
}

export const storeCases: readonly StoreCase[] = [
  {
    title: 'an empty store has no head, log or snapshot',
    run: async (open) => {
      const store = open();
      equal(await store.head(), null);
      deepEqual(await store.log(1, 10), []);
      equal(await store.snapshot(), null);
      equal(await store.find('any'), null);
    },
  },
  {
    title: 'swap advances the head and stores the entry unchanged',
    run: async (open) => {
      const [store, other] = [open(), open()];
      const first = entry(start, 'one é \u{1F600}');
      deepEqual(await store.swap(null, lineage, [first]), { outcome: 'swapped' });
      deepEqual(await other.head(), headAt(lineage, first));
      deepEqual(await other.log(1, 10), [first]);
      equal(await other.find(first.op), 1);
    },
  },
  {
    title: 'swap rejects a base that is not the head, and writes nothing',
    run: async (open) => {
      const store = open();
      const [first] = await fill(store, 1);
      const head = headAt(lineage, first as Entry);
      const wrong: (Head | null)[] = [
        null,
        { ...head, hash: 'other' },
        { ...head, lineage: 'other' },
        { ...head, rev: 0 },
      ];
      for (const base of wrong) {
        const late = entry(head, 'late');
        deepEqual(await store.swap(base, lineage, [late]), { outcome: 'lost', head });
        equal(await store.find(late.op), null);
      }
      equal((await store.log(1, 10))?.length, 1);
    },
  },
  {
    title: 'exactly one of many concurrent swaps succeeds',
    run: async (open) => {
      const stores = Array.from({ length: 8 }, open);
      const results = await Promise.all(stores.map((store, i) => store.swap(null, lineage, [entry(start, `${i}`)])));
      equal(results.filter(({ outcome }) => outcome === 'swapped').length, 1);
      equal((await open().log(1, 10))?.length, 1);
    },
  },
  {
    title: 'a change is applied once, even if it is sent several times',
    run: async (open) => {
      const store = open();
      const first = entry(start, 'one', 'the-op');
      await store.swap(null, lineage, [first]);
      deepEqual(await store.swap(null, lineage, [first]), { outcome: 'known', rev: 1 });
      const head = headAt(lineage, first);
      deepEqual(await store.swap(head, lineage, [entry(head, 'again', 'the-op')]), { outcome: 'known', rev: 1 });
      equal((await store.log(1, 10))?.length, 1);
    },
  },
  {
    title: 'swap writes all of several entries, or none',
    run: async (open) => {
      const store = open();
      const entries = await fill(store, 60);
      deepEqual(await store.log(1, 60), entries);
      deepEqual(await store.log(20, 22), entries.slice(19, 22));
      deepEqual(await store.log(61, 70), []);
    },
  },
  {
    title: 'the store accepts entries and snapshots of several megabytes',
    run: async (open) => {
      const store = open();
      const [large] = chain(start, 1, 3_000_000);
      equal((await store.swap(null, lineage, [large as Entry])).outcome, 'swapped');
      deepEqual(await open().log(1, 1), [large]);
      const document = Array.from({ length: 60_000 }, (_, i) => ({ name: `route ${i}`, key: randomUUID() }));
      const head = headAt(lineage, large as Entry);
      await store.saveSnapshot({ head, document });
      deepEqual(await open().snapshot(), { head, document });
    },
  },
  {
    title: 'the store keeps the newer of two snapshots',
    run: async (open) => {
      const store = open();
      const [first, second] = (await fill(store, 2)) as [Entry, Entry];
      await store.saveSnapshot({ head: headAt(lineage, second), document: 'second' });
      await store.saveSnapshot({ head: headAt(lineage, first), document: 'first' });
      deepEqual(await store.snapshot(), { head: headAt(lineage, second), document: 'second' });
    },
  },
  {
    title: 'a watch delivers existing entries, then new ones, in order and exactly once',
    run: async (open) => {
      const [store, other] = [open(), open()];
      const entries = await fill(store, 5);
      const seen = new Seen();
      const watch = other.watch(3, seen);
      const more = chain(headAt(lineage, itemAt(entries, 4)), 40);
      for (const [i, each] of more.entries())
        await store.swap(headAt(lineage, i === 0 ? itemAt(entries, 4) : itemAt(more, i - 1)), lineage, [each]);
      await seen.until(() => seen.entries.length >= 43);
      deepEqual(seen.entries, [...entries.slice(2), ...more]);
      watch.close();
    },
  },
  {
    title: 'a closed watch delivers nothing',
    run: async (open) => {
      const store = open();
      const seen = new Seen();
      const [closed, open2] = [new Seen(), seen];
      store.watch(1, closed).close();
      const watch = store.watch(1, open2);
      await fill(store, 1);
      await seen.until(() => seen.entries.length === 1);
      equal(closed.entries.length, 0);
      watch.close();
    },
  },
  {
    title: 'readers and watches are notified of a trimmed log',
    run: async (open) => {
      const store = open();
      const entries = await fill(store, 10);
      await store.trim(6);
      equal(await store.log(5, 10), null);
      deepEqual(await store.log(6, 10), entries.slice(5));
      equal(await store.find(itemAt(entries, 0).op), null);
      equal(await store.find(itemAt(entries, 9).op), 10);
      const seen = new Seen();
      const watch = store.watch(2, seen);
      await seen.until(() => seen.trims > 0);
      equal(seen.entries.length, 0);
      watch.close();
      const later = new Seen();
      const second = store.watch(6, later);
      await later.until(() => later.entries.length === 5);
      second.close();
    },
  },
  {
    title: 'a lease belongs to one member until it is released',
    run: async (open) => {
      const [store, other] = [open(), open()];
      const lease = await store.lease('member/a', 'about a', 5);
      notEqual(lease, null);
      equal(await other.lease('member/a', 'another', 5), null);
      deepEqual([...(await other.leases('member/'))], [['member/a', 'about a']]);
      await lease?.release();
      deepEqual([...(await other.leases('member/'))], []);
      notEqual(await other.lease('member/a', 'another', 5), null);
    },
  },
  {
    title: 'a lease is renewed while its holder is running',
    run: async (open) => {
      const [store, other] = [open(), open()];
      const lease = await store.lease('coordinator', 'a', 2);
      await sleep(3500);
      equal(lease?.lost.aborted, false);
      equal(await other.lease('coordinator', 'b', 2), null);
    },
  },
  {
    title: 'a transaction requires its lease, and removing the lease removes bound values',
    run: async (open) => {
      const [store, other] = [open(), open()];
      const lease = await store.lease('coordinator', 'a', 5);
      ok(lease !== null);
      const writes = [
        { key: 'status/a', value: 'bound', bound: true },
        { key: 'rollout', value: 'kept' },
      ];
      equal(await store.transaction(lease, writes), true);
      deepEqual(
        [...(await other.values(''))],
        [
          ['rollout', 'kept'],
          ['status/a', 'bound'],
        ],
      );
      await lease.release();
      deepEqual([...(await other.values(''))], [['rollout', 'kept']]);
      const next = await other.lease('coordinator', 'b', 5);
      ok(next !== null);
      equal(await store.transaction(lease, [{ key: 'rollout', value: 'from an expired holder' }]), false);
      equal(await other.transaction(next, [{ key: 'rollout', value: null }]), true);
      deepEqual([...(await store.values(''))], []);
    },
  },
];
