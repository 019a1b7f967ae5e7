import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import type { Context, Pooled, ResourcePool } from '@sluice/registry';
import { ControlBus, SharedMemory } from '@sluice/threads';

/** A context that keeps resources until the test releases them. */
class Holder {
  readonly #releases: (() => Promise<void>)[] = [];
  readonly context = {
    acquire: async <R extends Pooled>(pool: ResourcePool<R>, key: string, create: () => R | Promise<R>): Promise<R> => {
      const lease = await pool.acquire(key, create);
      this.#releases.push(() => lease.release());
      return lease.value;
    },
  } as unknown as Context;

  async release(): Promise<void> {
    for (const release of this.#releases) await release();
  }
}

describe('SharedMemory', () => {
  it('SharedMemory.acquire returns the same memory for a name and size while it is in use, and new memory afterward', async () => {
    const shared = new SharedMemory(new ControlBus(silentLogger));
    const [first, second, third] = [new Holder(), new Holder(), new Holder()];
    const memory = await shared.acquire('a', 64, first.context);
    expect(memory.byteLength).to.equal(64);
    expect(await shared.acquire('a', 64, second.context)).to.equal(memory);
    expect(await shared.acquire('b', 64, second.context)).not.to.equal(memory);
    expect(await shared.acquire('a', 128, second.context)).not.to.equal(memory);
    await first.release();
    expect(await shared.acquire('a', 64, second.context)).to.equal(memory);
    await second.release();
    expect(await shared.acquire('a', 64, third.context)).not.to.equal(memory);
    await third.release();
  });
});
