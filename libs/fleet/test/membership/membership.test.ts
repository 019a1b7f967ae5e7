import { expect } from 'chai';
import { decodeHead, MemoryCluster } from '@sluice/fleet';
import { Machines, until } from './machine.ts';

describe('Membership', () => {
  const machines = new Machines();
  afterEach(() => machines.close());

  it('Membership.reach waits until enough members have applied a revision, and reports the state of the other members', async () => {
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

  it('a fleet member that leaves is removed from the list, and another member can lease its name', async () => {
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

  it('a fleet member keeps working and reports the problem if another machine has leased its name', async () => {
    const cluster = new MemoryCluster();
    const [a, twin] = [await machines.join(cluster, 'a'), await machines.join(cluster, 'a')];
    await until(async () => (await twin.membership?.describe())?.['name_taken'] === true);
    await a.set('1');
    expect(await twin.membership?.waitFor(2, 20_000)).to.equal(true);
    expect(twin.value).to.equal('1');
  });

  for (const [key, value] of [
    ['member', '{"broken'],
    ['member', '[]'],
    ['status', '{"applied": 1'],
    ['status', 'null'],
  ] as const)
    // Attack in docs/security.md: Unreadable entries in a fleet store: presence, status, module list, dry-run request.
    it(`a fleet member skips and reports an unreadable entry, and can still make changes: ${key}/x is ${value}`, async () => {
      const cluster = new MemoryCluster();
      const a = await machines.join(cluster, 'a');
      const span = { now: Date.now(), expires: Number.MAX_SAFE_INTEGER };
      cluster.take('member/x', key === 'member' ? value : '{}', span);
      if (key === 'status') cluster.set('status/x', value, null);
      cluster.set('rehearsal/ask/y', value, null);
      cluster.set('modules/z', value, null);
      await a.set('1');
      expect(a.value).to.equal('1');
      const { unreadable, members } = (await a.membership?.describe()) ?? {};
      expect((unreadable as { key: string }[]).map((each) => each.key)).to.deep.equal([`${key}/x`]);
      expect((members as { name: string }[]).map(({ name }) => name)).to.deep.equal(
        key === 'member' ? ['a'] : ['a', 'x'],
      );
      expect(await a.membership?.reach(2, 'majority', 0)).to.deep.include({ reached: key === 'member' });
    });

  // Attack in docs/security.md: A corrupted head entry in the fleet store.
  it('a fleet member reports a store with a corrupt head as unreadable, not as unavailable', async () => {
    const cluster = new MemoryCluster();
    const a = await machines.join(cluster, 'a');
    const { head } = cluster;
    Object.defineProperty(cluster, 'head', {
      configurable: true,
      get: () => decodeHead('{"format":1,'),
      set: () => {},
    });
    const error = await a.set('1').catch((caught: unknown) => caught);
    expect(error).to.include({ code: 'ERR_FLEET_UNREADABLE', status: 503 });
    expect((error as Error).message).to.contain('the fleet store contains a head that cannot be read');
    await until(async () => 'store_away' in ((await a.membership?.describe()) ?? {}));
    expect((await a.membership?.describe())?.['store_away']).to.include({ kind: 'unreadable' });
    Object.defineProperty(cluster, 'head', { configurable: true, writable: true, value: head });
    await until(async () => !('store_away' in ((await a.membership?.describe()) ?? {})));
    await a.set('1');
  });

  it('fleet members do not create a fleet in an empty store if another member has a history; they wait until that member adopts the store', async function () {
    this.timeout(20_000);
    const cluster = new MemoryCluster();
    const a = await machines.join(cluster, 'a');
    await a.set('kept');
    cluster.head = null;
    cluster.log.splice(0);
    await until(async () => 'forked' in ((await a.membership?.describe()) ?? {}));
    await until(async () => JSON.stringify((await a.membership?.describe())?.['members']).includes('forked'));
    const late = machines.make(cluster, 'late');
    late.membership?.attach('first');
    await late.reconciler.load({ apps: { app: { values: { n: 'own' } } } }, { op: 'first' });
    late.membership?.start(null);
    await until(async () => 'store_away' in ((await late.membership?.describe()) ?? {}));
    const { store_away: outage } = (await late.membership?.describe()) ?? {};
    expect(outage).to.include({ kind: 'empty' });
    expect((outage as { reason: string }).reason).to.contain('member a has a history');
    expect(cluster.head).to.equal(null);
    expect(await a.membership?.adoption()).to.deep.include({ ours: 2, theirs: 0, isFounding: true });
    await a.membership?.adopt();
    await until(() => late.value === 'kept');
  });

  it('adopting a store first shows the changes, and then persists the new position', async () => {
    const cluster = new MemoryCluster();
    const [a, b] = [await machines.join(cluster, 'a'), await machines.join(cluster, 'b')];
    await a.set('1');
    await b.membership?.waitFor(2, 10_000);
    cluster.head = null;
    cluster.log.splice(0);
    const isForked = async (): Promise<boolean> =>
      'forked' in ((await a.membership?.describe()) ?? {}) && 'forked' in ((await b.membership?.describe()) ?? {});
    await until(isForked);
    await a.membership?.adopt();
    expect(await b.membership?.adoption()).to.deep.equal({ ours: 2, theirs: 1, isFounding: false, operations: [] });
    await a.set('2');
    expect((await b.membership?.adoption())?.operations).to.deep.equal([
      { op: 'replace', path: '/apps/app/values/n', value: '2' },
    ]);
    await b.membership?.adopt();
    expect(b.value).to.equal('2');
    expect(b.kept.at(-1)).to.deep.equal(b.membership?.place?.head);
  });

  it('adopting a store persists the position even if the document does not change', async () => {
    const cluster = new MemoryCluster();
    const [a, b] = [await machines.join(cluster, 'a'), await machines.join(cluster, 'b')];
    cluster.head = null;
    cluster.log.splice(0);
    await until(async () => 'forked' in ((await a.membership?.describe()) ?? {}));
    await until(async () => 'forked' in ((await b.membership?.describe()) ?? {}));
    await a.membership?.adopt();
    await b.membership?.adopt();
    expect(b.kept.at(-1)).to.deep.equal(cluster.head);
  });

  it('Membership.find rejects an idempotency key that was used for a different change', async () => {
    const cluster = new MemoryCluster();
    const a = await machines.join(cluster, 'a');
    await a.reconciler.change(() => ({ apps: { app: { values: { n: '7' } } } }), { op: 'key', request: 'one' });
    expect(await a.membership?.find('key')).to.equal(2);
    expect(await a.membership?.find('key', 'one')).to.equal(2);
    const error = await a.membership?.find('key', 'two').catch((caught: unknown) => caught);
    expect(error).to.include({ code: 'ERR_FLEET_KEY', status: 422 });
  });
});
