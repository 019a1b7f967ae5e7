import { expect } from 'chai';
import type { Context } from '@sluice/registry';
import { allocateSharedCells, SharedCells, type ThreadBus } from '@sluice/threads';
import { NamedUpstreams } from '../../src/reverse_proxy/outliers/named-upstreams.ts';
import { OutlierPool } from '../../src/reverse_proxy/outliers/outlier.ts';

const rules = {
  consecutiveErrors: 1,
  interval: 1000,
  baseEjectionTime: 1000,
  maxEjectionTime: 1000,
  maxEjectionPercent: 50,
  stdevFactor: 0,
  minRequests: 1,
  minUpstreams: 2,
};

describe('NamedUpstreams', () => {
  it('NamedUpstreams provides the control thread with the addresses and ejections of all traffic threads', async () => {
    const memory = allocateSharedCells({ capacity: 32, threads: 3 });
    const responders: ((key: string) => readonly string[])[] = [];
    const disposals: (() => void)[] = [];
    const bus = {
      gather: async (_question: unknown, key: string) => responders.map((respond) => respond(key)),
      onGather: (_question: unknown, respond: (key: string) => readonly string[]) => {
        responders.push(respond);
        return () => undefined;
      },
    } as unknown as ThreadBus;
    const contextOf = (roles: object): Context =>
      ({ roles, find: () => bus, onDispose: (dispose: () => void) => void disposals.push(dispose) }) as never;
    const member = (thread: number, pool: OutlierPool, address: string) =>
      pool.member(address, () => cells[thread]!.acquire(address));
    const cells = [0, 1, 2].map((thread) => new SharedCells(memory, thread));
    const pools = cells.map(() => new OutlierPool(rules));
    const [control, one, two] = pools as [OutlierPool, OutlierPool, OutlierPool];
    for (const pool of [one, two])
      new NamedUpstreams().join('proxy', pool, contextOf({ traffic: true, control: false }));
    const update = new NamedUpstreams().updater(
      'proxy',
      control,
      (address) => member(0, control, address),
      contextOf({ traffic: false, control: true }),
    )!;
    for (const address of ['a:1', 'b:1']) member(1, one, address);
    for (const address of ['b:1', 'c:1']) member(2, two, address);
    await update();
    expect(control.members.map(({ address }) => address).sort()).to.deep.equal(['a:1', 'b:1', 'c:1']);
    member(2, two, 'c:1').record(true);
    expect(control.members.filter(({ isEjected }) => isEjected).map(({ address }) => address)).to.deep.equal(['c:1']);
    two.remove('c:1');
    await update();
    expect(control.members.map(({ address }) => address).sort()).to.deep.equal(['a:1', 'b:1']);
    expect(responders.map((respond) => respond('other'))).to.deep.equal([[], []]);
    for (const dispose of disposals) dispose();
    expect(responders[0]!('proxy')).to.deep.equal([]);
  });

  it('NamedUpstreams creates no updater in a thread that has both the traffic and control roles', () => {
    const context = { roles: { traffic: true, control: true }, find: () => ({}) } as unknown as Context;
    const updater = new NamedUpstreams().updater('proxy', new OutlierPool(rules), () => undefined, context);
    expect(updater).to.equal(null);
  });
});
