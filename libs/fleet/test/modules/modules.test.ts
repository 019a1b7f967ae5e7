import { expect } from 'chai';
import { silentLogger, type Json } from '@sluice/base';
import { addAt, Reconciler, noThreads, Runtime } from '@sluice/reconciler';
import { Membership, MemoryCluster, MemoryStore } from '@sluice/fleet';
import { apps, defineModule, Registry } from '@sluice/registry';
import { Type } from 'typebox';
import { writeOrders } from '../../src/member-list/orders.ts';

const app = (name: string) =>
  defineModule(apps, {
    name,
    help: 'Takes anything.',
    config: Type.Record(Type.String(), Type.Unknown()),
    provision: (config) => config,
  });

/** A test machine that runs the given apps. */
class Machine {
  readonly reconciler: Reconciler;
  readonly membership: Membership;

  constructor(cluster: MemoryCluster, name: string, modules: readonly string[]) {
    const registry = new Registry().add(...modules.map(app));
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    this.reconciler = new Reconciler({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
    const store = new MemoryStore(cluster);
    const view = (document: Json): Json => document;
    const log = silentLogger;
    const keep = async (): Promise<void> => {};
    const about = { cluster: 'test', name, labels: [], version: '1' };
    this.membership = new Membership({ reconciler: this.reconciler, store, log, keep, view, ...about });
  }

  async start(): Promise<this> {
    this.membership.attach('first');
    await this.reconciler.load({ apps: { usual: {} } }, { op: 'first' });
    this.membership.start(null);
    await this.membership.waitFor(1, 5000);
    await this.members();
    return this;
  }

  /** Waits until this machine is listed as a member. Returns the members. */
  async members(): Promise<readonly { readonly name: string; readonly rejected?: unknown }[]> {
    for (;;) {
      const { members } = (await this.membership.describe()) as { members: readonly { name: string }[] };
      if (members.some(({ name }) => name === this.membership.name)) return members;
      await new Promise((resolve) => void setTimeout(resolve, 20));
    }
  }
}

const withExtra = (document: Json): Json => addAt(document, ['apps', 'extra'], { n: 1 });

describe('fleet members with different modules', function () {
  this.timeout(30_000);
  const machines: Machine[] = [];
  const made = async (cluster: MemoryCluster, name: string, ...modules: string[]): Promise<Machine> => {
    const machine = await new Machine(cluster, name, modules).start();
    machines.push(machine);
    return machine;
  };
  afterEach(async () => {
    for (const { membership } of machines.splice(0)) await membership.close();
  });

  it('a change that one fleet member cannot load is rejected before it is logged, and the error names the member, module and path', async () => {
    const cluster = new MemoryCluster();
    const a = await made(cluster, 'a', 'usual', 'extra');
    const b = await made(cluster, 'b', 'usual');
    const error = (await a.reconciler.change(withExtra).catch((reason: unknown) => reason)) as Error;
    expect(error).to.include({ code: 'ERR_FLEET_MODULES', status: 409 });
    expect(error.message).to.match(/^member b does not have module extra, which the change requires at apps\.extra;/);
    expect(cluster.head?.rev).to.equal(1);
    for (const { reconciler } of [a, b]) expect(reconciler.document).to.deep.equal({ apps: { usual: {} } });
    // A change that all members can load is accepted. The document then lists the modules that the change needs.
    await a.reconciler.change((document) => addAt(document, ['apps', 'usual'], { n: 2 }));
    expect(cluster.log.at(-1)?.requires).to.deep.equal(['usual']);
  });

  it('a change is accepted if the other fleet members have the required modules', async () => {
    const cluster = new MemoryCluster();
    const a = await made(cluster, 'a', 'usual', 'extra');
    const b = await made(cluster, 'b', 'usual', 'extra', 'more');
    await a.reconciler.change(withExtra);
    expect(await b.membership.waitFor(2, 5000)).to.equal(true);
    expect(b.reconciler.document).to.deep.equal({ apps: { usual: {}, extra: { n: 1 } } });
  });

  it('a new fleet member without a required module keeps its whole configuration, and reports the reason', async () => {
    const cluster = new MemoryCluster();
    const a = await made(cluster, 'a', 'usual', 'extra');
    await a.reconciler.change(withExtra);
    const b = new Machine(cluster, 'b', ['usual']);
    machines.push(b);
    b.membership.attach('first');
    await b.reconciler.load({ apps: { usual: { own: true } } }, { op: 'first' });
    b.membership.start(null);
    const of = async (): Promise<{ rejected?: { path: string; message: string } }> => b.membership.describe();
    let rejected = (await of()).rejected;
    while (rejected === undefined) {
      await new Promise((resolve) => void setTimeout(resolve, 20));
      ({ rejected } = await of());
    }
    expect(rejected.path).to.equal('apps.extra');
    expect(b.reconciler.document).to.deep.equal({ apps: { usual: { own: true } } });
    expect(b.membership.isReady).to.equal(false);
  });

  it('a dry run reports refused, accepted or unknown for each fleet member that has different modules @long', async () => {
    const cluster = new MemoryCluster();
    const a = await made(cluster, 'a', 'usual', 'extra');
    await made(cluster, 'same', 'usual', 'extra');
    await made(cluster, 'b', 'usual');
    const c = await made(cluster, 'c', 'usual', 'extra', 'more');
    const silent = new MemoryStore(cluster);
    const { hash } = c.membership.modules;
    await silent.lease('member/d', JSON.stringify({ modules: hash }), 60);
    const { operations, report } = await a.reconciler.change(withExtra, { dryRun: true });
    expect(await a.membership.rehearse({ operations, modules: report?.started ?? [] })).to.deep.equal({
      b: { state: 'refused', path: 'apps.extra', message: 'module extra is not installed' },
      c: { state: 'accepted' },
      d: { state: 'unknown' },
    });
    expect((await silent.values('rehearsal/')).size).to.equal(0);
    await silent.close();
  });

  it('outdated dry-run queries and replies are removed from the store', async () => {
    const cluster = new MemoryCluster();
    await made(cluster, 'a', 'usual');
    const store = new MemoryStore(cluster);
    const ask = async (id: string, at: number): Promise<void> => {
      const value = JSON.stringify({ at, to: ['a'], operations: [] });
      await writeOrders({ store, name: 'b', id }, [{ key: `rehearsal/ask/${id}`, value }]);
    };
    await ask('old', Date.now() - 4_000_000);
    await ask('new', Date.now());
    await writeOrders({ store, name: 'c', id: 'reply' }, [{ key: 'rehearsal/said/old/c', value: '{}' }]);
    const keys = async (): Promise<readonly string[]> => [...(await store.values('rehearsal/')).keys()];
    const expected = ['rehearsal/ask/new', 'rehearsal/said/new/a'];
    const areLeft = async (): Promise<void> => {
      while ((await keys()).join() !== expected.join()) await new Promise((resolve) => void setTimeout(resolve, 20));
    };
    await areLeft();
    // By the time this query is removed, the other queries have been checked again and kept.
    await ask('also old', Date.now() - 4_000_000);
    await areLeft();
    await store.close();
  });
});
