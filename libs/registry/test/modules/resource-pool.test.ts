import { expect } from 'chai';
import fc from 'fast-check';
import { ResourcePool, type Lease } from '@sluice/registry';

class Resource {
  retired = 0;
  closed = 0;
  retire(): void {
    this.retired++;
  }
  close(): void {
    this.closed++;
  }
}

describe('ResourcePool', () => {
  it('ResourcePool shares one resource per key', async () => {
    const pool = new ResourcePool<Resource>();
    const [a, b, other] = await Promise.all(['x', 'x', 'y'].map((key) => pool.acquire(key, () => new Resource())));
    expect(a?.value).to.equal(b?.value);
    expect(a?.value).to.not.equal(other?.value);
    expect([...pool].map(([key]) => key)).to.deep.equal(['x', 'y']);
  });

  it('ResourcePool does not expose a resource that is being created', async () => {
    const pool = new ResourcePool<Resource>();
    const made = pool.acquire('x', () => new Resource());
    expect([...pool]).to.deep.equal([]);
    const { value } = await made;
    expect([...pool]).to.deep.equal([['x', value]]);
  });

  it('ResourcePool retires a resource when the last active configuration drops it, and closes the resource when its last user releases it', async () => {
    const pool = new ResourcePool<Resource>();
    const first = await pool.acquire('x', () => new Resource());
    const second = await pool.acquire('x', () => new Resource());
    const { value } = first;
    first.retire();
    first.retire();
    expect([value.retired, [...pool].length]).to.deep.equal([0, 1]);
    second.retire();
    expect([value.retired, value.closed, [...pool].length]).to.deep.equal([1, 0, 0]);
    await first.release();
    await first.release();
    expect(value.closed).to.equal(0);
    await second.release();
    expect([value.retired, value.closed]).to.deep.equal([1, 1]);
  });

  it('ResourcePool replaces a retired resource, and the retired resource can close independently', async () => {
    const pool = new ResourcePool<Resource>();
    const old = await pool.acquire('x', () => new Resource());
    old.retire();
    const next = await pool.acquire('x', () => new Resource());
    expect(next.value).to.not.equal(old.value);
    await old.release();
    expect([old.value.closed, next.value.closed]).to.deep.equal([1, 0]);
    expect([...pool]).to.deep.equal([['x', next.value]]);
  });

  it('ResourcePool forgets a resource that could not be created', async () => {
    const pool = new ResourcePool<Resource>();
    const failing = (): Promise<Resource> => Promise.reject(new Error('busy'));
    const failures = await Promise.allSettled([pool.acquire('x', failing), pool.acquire('x', failing)]);
    expect(failures.map((each) => each.status)).to.deep.equal(['rejected', 'rejected']);
    expect([...pool]).to.deep.equal([]);
    const { value } = await pool.acquire('x', () => new Resource());
    expect(value.closed).to.equal(0);
  });

  it('ResourcePool keeps a replacement if the creation of the previous resource fails late', async () => {
    const pool = new ResourcePool<Resource>();
    const late = Promise.withResolvers<Resource>();
    const failing = pool.acquire('x', () => late.promise);
    const failed = failing.catch((error: unknown) => (error as Error).message);
    const other = await pool.acquire('y', () => new Resource());
    late.reject(new Error('busy'));
    expect(await failed).to.equal('busy');
    const again = await pool.acquire('x', () => new Resource());
    expect([...pool]).to.deep.equal([
      ['y', other.value],
      ['x', again.value],
    ]);
  });

  it('ResourcePool waits for resources that close slowly, and does not require a retire method', async () => {
    let closed = false;
    const pool = new ResourcePool<{ close(): Promise<void> }>();
    const lease = await pool.acquire('x', () => ({
      close: async () => {
        await new Promise((done) => setTimeout(done, 5));
        closed = true;
      },
    }));
    await lease.release();
    expect(closed).to.equal(true);
  });

  it('ResourcePool closes each resource once, when its last user releases it, for any order of releases', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(9), fc.constantFrom('acquire', 'retire', 'release')), { maxLength: 40 }),
        async (steps) => {
          const pool = new ResourcePool<Resource>();
          const users: { lease: Lease<Resource>; active: boolean; held: boolean }[] = [];
          for (const [which, act] of steps) {
            const user = users[which % Math.max(1, users.length)];
            if (act === 'acquire' || user === undefined) {
              users.push({ lease: await pool.acquire('x', () => new Resource()), active: true, held: true });
            } else if (act === 'retire') {
              user.lease.retire();
              user.active = false;
            } else {
              await user.lease.release();
              user.active = user.held = false;
            }
            for (const { value } of users.map(({ lease }) => lease)) {
              const mine = users.filter(({ lease }) => lease.value === value);
              expect(value.retired).to.equal(mine.some(({ active }) => active) ? 0 : 1);
              expect(value.closed).to.equal(mine.some(({ held }) => held) ? 0 : 1);
            }
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});
