import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { bucketCount, inFlightNumber, isBusy, maxName, Slab, Tally, TallyStore } from '@sluice/threads';
import { allocateSlab, numbersPerBlock } from '../../src/tally/block.ts';

const counting = new URL('./tally-worker.ts', import.meta.url);

/** A tally of a thread that grows at once. */
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

/** Number 0 of all blocks by name. */
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

describe('a tally', () => {
  it('is read by name, as the sum of all threads', () => {
    const store = new TallyStore();
    for (const thread of [1, 2]) openTally(store, thread).acquire('bücher.example')?.add(0, thread);
    expect(counts(store)).to.deep.equal({ 'bücher.example': 3 });
  });

  it('adds what was counted under one name to another, with its distribution', () => {
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

  it('has more memory as it is used, and has no block where there is none', () => {
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

  it('has a name of any length, twelve numbers and all buckets in each block, and none of them touches another', () => {
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

  it('has a block of its memory for each name, and asks for more once while a third is left', () => {
    const blocks = new TallyStore().slabsOf(1).map((memory) => new Slab(memory));
    const asked: number[] = [];
    const tally: Tally = new Tally(blocks, () => asked.push(tally.size));
    let names = 0;
    while (tally.acquire(`name ${names}`) !== null) names++;
    // One is for what has no other place.
    expect(names).to.equal(64 - 1);
    expect(asked).to.deep.equal([43]);
    tally.extend(new Slab(allocateSlab(8)));
    for (let i = 0; i < 8; i++) expect(tally.acquire(`more ${i}`)).not.to.equal(null);
    expect(tally.acquire('one more')).to.equal(null);
    expect(asked).to.deep.equal([43, 64]);
    expect([tally.size, [...tally.blocks()].length]).to.deep.equal([72, 72]);
  });

  it('says what is there, and whether something of it is not over', () => {
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

  it('cannot begin without memory', () => {
    expect(() => new Tally([], () => undefined))
      .to.throw('a tally needs a block to begin with')
      .with.property('code', 'ERR_CELLS_FULL');
  });

  it('counts on in a distribution of which a bucket is full', () => {
    const block = openTally(new TallyStore()).acquire('busy');
    block?.observe(1, 2 ** 32 - 2);
    block?.observe(2, 10);
    block?.observe(1, 2);
    const { buckets, firstBucket = 0 } = block ?? {};
    expect([buckets?.[firstBucket + 1], buckets?.[firstBucket + 2]]).to.deep.equal([2 ** 31 - 1, 5]);
  });

  it('is exact while another thread counts and gives blocks back', async function () {
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

  it('keeps what a thread has counted that is killed, but for what was in flight; the next one counts on', async function () {
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
      // It was ended between two instructions, or while it gave a block back, of at most five requests.
      expect(after - before).to.be.closeTo(begun[0] as number, 6);
      for (const { numbers } of store.read()) expect(numbers[inFlightNumber]).to.equal(0);
    }
    const tally = openTally(store);
    expect(tally.acquire('others')?.number(0)).to.be.greaterThan(1000);
  });
});
