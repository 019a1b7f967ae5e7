import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { bucketCount, inFlightNumber, isBusy, maxName, Slab, Tally, TallyStore } from '@sluice/threads';
import { allocateSlab, numbersPerBlock } from '../../src/tally/block.ts';

const counting = new URL('./tally-worker.ts', import.meta.url);

/** Opens a tally whose memory grows immediately. */
function openTally(store: TallyStore, thread = 1): Tally {
  const tally: Tally = new Tally(
    store.slabsOf(thread).map((memory) => new Slab(memory)),
    () => {
      const memory = store.grow(thread);
      if (memory !== null) tally.extend(new Slab(memory));
    },
  );
  return tally;
}

/** Returns the first number of each block, by block name. */
function counts(store: TallyStore): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { name, numbers } of store.read())
    if (name !== '-') found[name] = (found[name] ?? 0) + (numbers[0] as number);
  return found;
}

function observed(store: TallyStore): number {
  const buckets = new Float64Array(bucketCount);
  for (const reading of store.read()) reading.addBuckets(buckets);
  return buckets.reduce((sum, count) => sum + count, 0);
}

describe('Tally', () => {
  it('TallyStore.read returns counts by name for all threads', () => {
    const store = new TallyStore();
    for (const thread of [1, 2]) openTally(store, thread).acquire('bücher.example')?.add(0, thread);
    expect(counts(store)).to.deep.equal({ 'bücher.example': 3 });
  });

  it('Tally.rename merges counts and distributions of two names', () => {
    const store = new TallyStore();
    const tally = openTally(store);
    for (const name of ['a', 'b', 'c']) {
      const block = tally.acquire(name);
      block?.add(0, 1);
      block?.observe(7, 1);
      if (block !== null) tally.rename(block, 'others');
    }
    expect(counts(store)).to.deep.equal({ others: 3 });
    expect(observed(store)).to.equal(3);
    expect(tally.acquire('a')?.number(0)).to.equal(0);
  });

  it('Tally grows on demand, and returns no block when its memory is exhausted', () => {
    const store = new TallyStore();
    const before = store.bytes;
    const tally = openTally(store);
    const first = store.bytes;
    for (let i = 0; i < 10_000; i++) tally.acquire(`route ${i}`)?.add(0, 1);
    expect(Object.keys(counts(store))).to.have.length(10_000);
    for (let i = 0; i < 10_000; i++) tally.acquire(`other ${i}`);
    expect(tally.acquire('one more')).to.equal(null);
    expect(tally.acquire('route 0')?.number(0)).to.equal(1);
    expect(before).to.equal(0);
    expect(first).to.be.at.most(128 * 1024);
    expect(store.bytes).to.equal(32 * 1024 * 1024);
    expect(openTally(new TallyStore()).acquire('x'.repeat(maxName + 1))).to.equal(null);
  });

  it('TallyBlock stores the name, the twelve numbers and the buckets of each block separately', () => {
    const store = new TallyStore();
    const tally = openTally(store);
    const names = ['x', 'y', 'z'].map((letter) => letter.repeat(maxName));
    for (const name of names) {
      const block = tally.acquire(name);
      for (let i = 0; i < numbersPerBlock; i++) block?.add(i, i);
      for (let i = 0; i < numbersPerBlock; i++) block?.add(i, 100);
      for (let bucket = 0; bucket < bucketCount; bucket++) block?.observe(bucket, bucket + 1);
      expect(Array.from({ length: numbersPerBlock }, (_, i) => block?.number(i))).to.deep.equal([
        100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,
      ]);
    }
    const readings = [...store.read()].filter(({ name }) => name !== '-');
    expect(readings.map(({ name }) => name)).to.have.members(names);
    for (const { numbers, addBuckets } of readings) {
      expect([...numbers]).to.deep.equal([100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111]);
      const buckets = new Float64Array(bucketCount);
      addBuckets(buckets);
      expect([...buckets]).to.deep.equal(Array.from({ length: bucketCount }, (_, bucket) => bucket + 1));
    }
  });

  it('Tally has one block per name, and requests more memory once when one third of the blocks is left', () => {
    const blocks = new TallyStore().slabsOf(1).map((memory) => new Slab(memory));
    const asked: number[] = [];
    const tally: Tally = new Tally(blocks, () => asked.push(tally.size));
    let names = 0;
    while (tally.acquire(`name ${names}`) !== null) names++;
    // One block is reserved for counts that have no separate block.
    expect(names).to.equal(64 - 1);
    expect(asked).to.deep.equal([43]);
    tally.extend(new Slab(allocateSlab(8)));
    for (let i = 0; i < 8; i++) expect(tally.acquire(`more ${i}`)).not.to.equal(null);
    expect(tally.acquire('one more')).to.equal(null);
    expect(asked).to.deep.equal([43, 64]);
    expect([tally.size, [...tally.blocks()].length]).to.deep.equal([72, 72]);
  });

  it('Tally lists its blocks, and isBusy detects work in flight', () => {
    const tally = openTally(new TallyStore());
    const block = tally.acquire('a');
    expect(tally.find('a')).to.equal(block);
    expect(tally.find('b')).to.equal(null);
    if (block === null) throw new Error('there is memory');
    expect(isBusy(block)).to.equal(false);
    block.add(inFlightNumber, 2);
    expect(isBusy(block)).to.equal(true);
    block.add(inFlightNumber, -2);
    expect(isBusy(block)).to.equal(false);
  });

  it('the Tally constructor throws if it is given no memory', () => {
    expect(() => new Tally([], () => undefined))
      .to.throw('a tally requires at least one free block')
      .with.property('code', 'ERR_CELLS_FULL');
  });

  it('TallyStore.reap makes a block readable if its thread exited during a change, and does not affect other blocks', () => {
    const slab = new Slab(allocateSlab(1));
    for (let i = 0; i < 6; i++) {
      expect(() =>
        slab.change(0, () => {
          throw new Error('it died');
        }),
      ).to.throw('it died');
      const died = slab.versionOf(0);
      expect(died % 2).to.equal(1);
      slab.repair(0);
      expect(slab.versionOf(0)).to.equal(died + 1);
      slab.repair(0);
      expect(slab.versionOf(0)).to.equal(died + 1);
    }
  });

  it('TallyBlock.observe continues after a bucket overflows, and does not affect other blocks', () => {
    const tally = openTally(new TallyStore());
    // The two blocks are adjacent in memory.
    const [block, after] = ['busy', 'other'].map((name) => tally.acquire(name));
    after?.add(0, 0.1);
    block?.observe(1, 2 ** 32 - 2);
    block?.observe(2, 10);
    block?.observe(1, 2);
    const { buckets, firstBucket = 0 } = block ?? {};
    expect([buckets?.[firstBucket + 1], buckets?.[firstBucket + 2]]).to.deep.equal([2 ** 31 - 1, 5]);
    expect([block?.index, after?.number(0)]).to.deep.equal([(after?.index ?? 0) - 1, 0.1]);
  });

  it('Tally is exact while another thread counts and frees blocks', async function () {
    this.timeout(60_000);
    const store = new TallyStore();
    const rounds = 20_000;
    const workerData = { slabs: store.slabsOf(1), rounds, begun: new Float64Array(new SharedArrayBuffer(8)) };
    const worker = new Worker(counting, { workerData });
    let reads = 0;
    let ended: unknown = null;
    worker.once('error', (error) => (ended = error));
    worker.once('exit', (code) => (ended ??= code));
    while (ended === null) {
      for (const { name } of store.read()) expect(name).to.match(/^(host \d|others|-)$/);
      reads++;
      await sleep(1);
    }
    expect(ended).to.equal(0);
    expect(reads).to.be.greaterThan(0);
    expect(Object.values(counts(store)).reduce((sum, count) => sum + count, 0)).to.equal(rounds);
    expect(observed(store)).to.equal(rounds);
  });

  it('TallyStore keeps the counts of a killed thread, except for work in flight, and the next thread continues counting', async function () {
    this.timeout(60_000);
    const store = new TallyStore();
    for (let life = 0; life < 3; life++) {
      const begun = new Float64Array(new SharedArrayBuffer(8));
      const before = Object.values(counts(store)).reduce((sum, count) => sum + count, 0);
      const worker = new Worker(counting, { workerData: { slabs: store.slabsOf(1), rounds: 0, begun } });
      while ((begun[0] as number) < 1000) await sleep(1);
      await worker.terminate();
      store.reap(1);
      const after = Object.values(counts(store)).reduce((sum, count) => sum + count, 0);
      // The thread was terminated between two instructions, or while it freed a block with at most five requests.
      expect(after - before).to.be.closeTo(begun[0] as number, 6);
      for (const { numbers } of store.read()) expect(numbers[inFlightNumber]).to.equal(0);
    }
    const tally = openTally(store);
    expect(tally.acquire('others')?.number(0)).to.be.greaterThan(1000);
  });
});
