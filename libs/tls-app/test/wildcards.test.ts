/** Tests names that wildcard certificates cover, and names whose certificates are obtained on demand. */
import { expect } from 'chai';
import { NameSet, tlsApp } from '@sluice/contracts';
import type { Json } from '@sluice/base';
import { Bench, shakeHands, TestAuthority, until } from './support.ts';

const issuers = [{ module: 'internal' }];
const plain = { automation: { policies: [{ issuers }] } };

describe('wildcards among managed certificates', () => {
  let authority: TestAuthority;
  const open: Bench[] = [];
  const start = async (tls: Json): Promise<Bench> => {
    const bench = new Bench(authority);
    open.push(bench);
    await bench.load(tls);
    return bench;
  };
  const want = (bench: Bench, owner: string, names: readonly string[]): void =>
    bench.runtime.app(tlsApp)?.want(owner, { names: NameSet.of(names), ignoreLoaded: false });
  /** Waits until no more orders arrive and returns them. */
  const settled = async (bench: Bench, count: number): Promise<string[]> => {
    await until(() => bench.orders.length >= count);
    await new Promise((resolve) => setTimeout(resolve, 30));
    return bench.orders.map((order) => order.replace('internal ', '')).toSorted();
  };
  before(async () => {
    authority = await TestAuthority.make();
  });
  afterEach(() => Promise.all(open.splice(0).map((bench) => bench.close())));

  it('a handshake for a name that a wildcard covers waits for the wildcard certificate', async () => {
    const bench = new Bench(authority);
    open.push(bench);
    const port = await bench.listen();
    await bench.load({ ...plain, certificates: { automate: ['*.a.test'] } });
    expect((await shakeHands(port, 'x.a.test')).names).to.equal('DNS:*.a.test');
  });

  it('managed wildcard certificates cover matching names of any server, and no separate certificates are obtained', async () => {
    const bench = await start(plain);
    want(bench, 'one', ['x.a.test', 'a.test', 'x.y.a.test']);
    want(bench, 'two', ['*.a.test', '*.*.a.test']);
    expect(await settled(bench, 3)).to.deep.equal(['*.*.a.test', '*.a.test', 'a.test']);
    const port = await bench.listen();
    expect((await shakeHands(port, 'x.a.test')).names).to.equal('DNS:*.a.test');
    expect((await shakeHands(port, 'x.y.a.test')).names).to.equal('DNS:*.*.a.test');
  });

  it('names in the automate list get a separate certificate even if a wildcard certificate covers them', async () => {
    const bench = await start({ ...plain, certificates: { automate: ['x.a.test'] } });
    want(bench, 'one', ['x.a.test', 'y.a.test', '*.a.test']);
    expect(await settled(bench, 2)).to.deep.equal(['*.a.test', 'x.a.test']);
  });

  it('a wildcard certificate is used for a name once it has been obtained, and until the wildcard is removed', async () => {
    const bench = await start(plain);
    want(bench, 'one', ['x.a.test']);
    await settled(bench, 1);
    const port = await bench.listen();
    bench.failing.add('internal');
    want(bench, 'two', ['*.a.test']);
    await settled(bench, 2);
    expect((await shakeHands(port, 'x.a.test')).names).to.equal('DNS:x.a.test');
    bench.failing.clear();
    want(bench, 'two', []);
    want(bench, 'two', ['*.a.test', '*.b.test']);
    await bench.load({ automation: { policies: [{ issuers: [{ module: 'other' }] }] } });
    await until(() => bench.orders.includes('other *.a.test'));
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect((await shakeHands(port, 'x.a.test')).names).to.equal('DNS:*.a.test');
    want(bench, 'two', []);
    await until(() => bench.orders.includes('other x.a.test'));
  });

  it('certificates for names and wildcards of on-demand policies are obtained only when a client requests them', async () => {
    const bench = new Bench(authority);
    open.push(bench);
    bench.permitted.add('x.a.test');
    const policies = [{ subjects: ['*.a.test', 'b.test'], on_demand: true, issuers }, { issuers }];
    const port = await bench.listen();
    await bench.load({ automation: { policies, on_demand: { permission: { module: 'listed' } } } });
    want(bench, 'one', ['*.a.test', 'b.test', 'c.test']);
    expect(await settled(bench, 1)).to.deep.equal(['c.test']);
    expect((await shakeHands(port, 'x.a.test')).names).to.equal('DNS:x.a.test');
    await bench.load({ automation: { policies: [{ issuers }] } });
    expect(await settled(bench, 4)).to.include.members(['*.a.test', 'b.test']);
  });
});
