import { expect } from 'chai';
import { Holds, leaseTime } from '../../src/webdav/holds.ts';

/** Appends the name of an operation to `order` when the operation starts. */
function started(order: string[], name: string, entered: Promise<number>): Promise<number> {
  return entered.then((id) => {
    order.push(name);
    return id;
  });
}

describe('Holds', () => {
  it('Holds runs operations on overlapping resources one at a time, in order of arrival', async () => {
    const holds = new Holds();
    const order: string[] = [];
    const tree = await started(order, 'tree', holds.enter([{ path: '/d', tree: true }]));
    const member = started(order, 'member', holds.enter([{ path: '/d/x', tree: false }]));
    const again = started(order, 'again', holds.enter([{ path: '/', tree: true }]));
    await started(order, 'other', Promise.resolve(0));
    holds.leave(tree);
    holds.leave(await member);
    holds.leave(await again);
    expect(order).to.deep.equal(['tree', 'other', 'member', 'again']);
    expect(holds.size).to.equal(0);
  });

  it('Holds objects let operations run concurrently if they use different resources or add members to the same collection', async () => {
    const holds = new Holds();
    const ids = await Promise.all([
      holds.enter([
        { path: '/d/x', tree: false },
        { path: '/d', tree: false, membership: true },
      ]),
      holds.enter([
        { path: '/d/y', tree: true },
        { path: '/d', tree: false, membership: true },
      ]),
      holds.enter([{ path: '/dx', tree: true }]),
    ]);
    expect(new Set(ids).size).to.equal(3);
    expect(holds.size).to.equal(3);
  });

  it('Holds does not let an operation overtake another operation that waits for the same resource', async () => {
    const holds = new Holds();
    const order: string[] = [];
    const first = await holds.enter([{ path: '/a', tree: false }]);
    const both = started(
      order,
      'both',
      holds.enter([
        { path: '/a', tree: false },
        { path: '/b', tree: false },
      ]),
    );
    const last = started(order, 'last', holds.enter([{ path: '/b', tree: false }]));
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).to.deep.equal([]);
    holds.leave(first);
    holds.leave(await both);
    holds.leave(await last);
    expect(order).to.deep.equal(['both', 'last']);
  });

  it('Holds objects release the resources of an exited thread, except resources whose hold was renewed', async () => {
    const holds = new Holds();
    const { now } = Date;
    try {
      const [dead, alive] = [
        await holds.enter([{ path: '/a', tree: true }]),
        await holds.enter([{ path: '/b', tree: true }]),
      ];
      const waiting = holds.enter([{ path: '/a/x', tree: false }]);
      Date.now = () => now() + leaseTime - 1000;
      holds.renew(alive);
      Date.now = () => now() + leaseTime + 1000;
      holds.expire();
      expect(await waiting).to.be.greaterThan(dead);
      holds.leave(dead);
      expect(holds.size).to.equal(2);
    } finally {
      Date.now = now;
    }
  });
});
