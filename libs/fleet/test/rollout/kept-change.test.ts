import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { beginning, MemoryCluster, MemoryStore, type StoreLease } from '@sluice/fleet';
import { keepChange, readChange } from '../../src/rollout/kept-change.ts';
import { parsePlan } from '@sluice/rollout';
import type { RolloutChange } from '../../src/rollout/rollout.ts';

function change(id: string, size: number): RolloutChange {
  const patch = [{ op: 'replace', path: '/apps', value: `ü${randomBytes(size / 2).toString('hex')}` }];
  const plan = parsePlan('canary:1,all');
  return { id, base: beginning('fleet'), from: '', patch, inverse: [], who: 'test', when: 1, plan };
}

describe('stored rollout changes', () => {
  let store: MemoryStore;
  let lease: StoreLease;
  beforeEach(async () => {
    store = new MemoryStore(new MemoryCluster());
    lease = (await store.lease('rollout', 'a', 5)) as StoreLease;
  });
  afterEach(() => store.close());

  /** Stores a change as a rollout does. */
  async function keep(each: RolloutChange, last: string | null = null): Promise<boolean> {
    const writes = await keepChange(store, lease, each, last);
    return writes !== null && store.transaction(lease, writes);
  }
  const stored = async (): Promise<ReadonlyMap<string, string>> => store.values('rollout/');

  it('keepChange stores a small change as one value', async () => {
    const small = change('small', 1000);
    expect(await keep(small)).to.equal(true);
    expect([...(await stored()).keys()]).to.deep.equal(['rollout/change/small']);
    expect(await readChange(store, 'small')).to.deep.equal({ format: 1, ...small });
  });

  it('keepChange splits a large change into parts of less than 1 MiB', async () => {
    const large = change('large', 5_000_000);
    await keep(large);
    const values = await stored();
    expect(values.size).to.be.greaterThan(4);
    for (const [key, value] of values) expect(Buffer.byteLength(value), key).to.be.lessThan(1_048_576);
    expect(await readChange(store, 'large')).to.deep.equal({ format: 1, ...large });
  });

  it('keepChange replaces the previous change completely', async () => {
    await keep(change('first', 5_000_000));
    const second = change('second', 2_000_000);
    await keep(second, 'first');
    const few = (await stored()).size;
    expect(await readChange(store, 'first')).to.equal(null);
    expect(await readChange(store, 'second')).to.deep.equal({ format: 1, ...second });
    await keep(change('third', 1000), 'second');
    expect([few, [...(await stored()).keys()]]).to.deep.equal([4, ['rollout/change/third']]);
  });

  it('readChange does not mix parts of concurrent writes', async () => {
    await keep(change('first', 2_000_000));
    // The next change has written its parts but nothing else yet.
    await keepChange(store, lease, change('second', 2_000_000), 'first');
    expect(await readChange(store, 'first')).to.equal(null);
  });

  it('keepChange writes nothing if the lease has expired', async () => {
    await keep(change('first', 1000));
    const late = lease;
    await lease.release();
    lease = (await store.lease('rollout', 'b', 5)) as StoreLease;
    expect(await keepChange(store, late, change('late', 2_000_000), 'first')).to.equal(null);
    expect([...(await stored()).keys()]).to.deep.equal(['rollout/change/first']);
  });
});
