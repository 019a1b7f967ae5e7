import { expect } from 'chai';
import { MemoryCluster } from '@sluice/fleet';
import { Machines, until } from './machine.ts';

describe('the membership of a fleet', () => {
  const machines = new Machines();
  afterEach(() => machines.close());

  it('waits until as many members have a revision as it was asked for, and says what became of the others', async () => {
    const cluster = new MemoryCluster();
    const [a, b, c] = [
      await machines.join(cluster, 'a'),
      await machines.join(cluster, 'b'),
      await machines.join(cluster, 'c'),
    ];
    const members = async (): Promise<number> =>
      Object.keys((await a.membership?.reach(1, 'all', 0))?.members ?? {}).length;
    await until(async () => (await members()) === 3);
    await a.set('1');
    expect(await a.membership?.reach(2, 'all', 20_000)).to.deep.equal({
      reached: true,
      members: { a: { state: 'applied' }, b: { state: 'applied' }, c: { state: 'applied' } },
    });
    await a.set('bad for b');
    expect(await a.membership?.reach(3, 'majority', 20_000)).to.include({ reached: true });
    await until(async () => (await a.membership?.reach(3, 'all', 0))?.members['b']?.state === 'rejected');
    const { reached, members: reports } = (await a.membership?.reach(3, 'all', 0)) ?? {};
    expect([reached, reports?.['c']]).to.deep.equal([false, { state: 'applied' }]);
    expect(reports?.['b']).to.deep.include({ state: 'rejected', path: 'apps.app.values' });
    expect(reports?.['b']?.message).to.include('it is bad');
    expect(await a.membership?.reach(9, 'majority', 0)).to.deep.include({ reached: false });
    expect([a.value, b.value, c.value]).to.deep.equal(['bad for b', '1', 'bad for b']);
  });

  it('leaves the roll when it ends, and its name to the next life of the member', async () => {
    const cluster = new MemoryCluster();
    const [a, b] = [await machines.join(cluster, 'a'), await machines.join(cluster, 'b')];
    const names = async (): Promise<string> =>
      Object.keys((await a.membership?.reach(1, 'all', 0))?.members ?? {}).join();
    await until(async () => (await names()) === 'a,b');
    await b.close();
    await until(async () => (await names()) === 'a');
    await machines.join(cluster, 'b');
    await until(async () => (await names()) === 'a,b');
  });

  it('says that another holds its name, and does its work all the same', async () => {
    const cluster = new MemoryCluster();
    const [a, twin] = [await machines.join(cluster, 'a'), await machines.join(cluster, 'a')];
    await until(async () => (await twin.membership?.describe())?.['name_taken'] === true);
    await a.set('1');
    expect(await twin.membership?.waitFor(2, 20_000)).to.equal(true);
    expect(twin.value).to.equal('1');
  });
});
