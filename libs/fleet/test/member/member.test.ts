import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { silentLogger, type Json } from '@sluice/base';
import { addAt, Reconciler, noThreads, Runtime } from '@sluice/reconciler';
import { Member, MemoryCluster, MemoryStore, storeError, systemEnvironment, type Link } from '@sluice/fleet';
import { apps, defineModule, Registry } from '@sluice/registry';
import { Type } from 'typebox';

const app = defineModule(apps, {
  name: 'app',
  help: 'Has values.',
  config: Type.Record(Type.String(), Type.Unknown()),
  provision: () => ({}),
});

/** A test machine with a reconciler and a fleet member. The test can interrupt the member's connection. */
class Machine {
  readonly reconciler: Reconciler;
  readonly member: Member;
  readonly kept: number[] = [];
  isCut = false;
  /** Value that this machine must reject. */
  refuses: Json = null;

  constructor(cluster: MemoryCluster, name: string) {
    const registry = new Registry().add(app);
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    this.reconciler = new Reconciler({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
    const refuse = (): void => {
      if (this.isCut) throw storeError('it is cut');
    };
    const link: Link = {
      send: async () => refuse(),
      receive: async () => refuse(),
      watched: (deliver, cut) => void setTimeout(() => (this.isCut ? setTimeout(cut, 20) : deliver()), 1),
    };
    const keep = async ({ head }: { head: { rev: number } }): Promise<void> => void this.kept.push(head.rev);
    this.reconciler.hooks.proposed.tap('test', ({ after }) => {
      if (this.refuses !== null && JSON.stringify(after).includes(JSON.stringify(this.refuses)))
        throw Object.assign(new Error('this machine cannot'));
    });
    const store = new MemoryStore(cluster, link);
    this.member = new Member({
      reconciler: this.reconciler,
      store,
      name,
      environment: systemEnvironment,
      log: silentLogger,
      keep,
    });
  }

  async start(value: string): Promise<this> {
    this.member.attach('first');
    await this.reconciler.load({ apps: { app: { value } } }, { op: 'first' });
    this.member.start(null);
    expect(await this.member.state.waitFor(1, 5000)).to.equal(true);
    return this;
  }

  set(key: string, value: Json, options = {}): Promise<unknown> {
    return this.reconciler.change((document) => addAt(document, ['apps', 'app', key], value), options);
  }

  get(key: string): Json | undefined {
    return this.reconciler.read(['apps', 'app', key]);
  }
}

/** Records the revision that the machine reports for each document that becomes active. */
function toldBy({ reconciler, member }: Machine): string[] {
  const reported: string[] = [];
  reconciler.hooks.committed.tap({ name: 'test', stage: -1000 }, ({ document }) => {
    const { value } = (document as { apps: { app: { value: string } } }).apps.app;
    reported.push(`${value} at ${member.revision}`);
  });
  return reported;
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

describe('Member', () => {
  let cluster: MemoryCluster;
  let machines: Machine[];
  beforeEach(async () => {
    cluster = new MemoryCluster();
    machines = [];
    for (const name of ['a', 'b', 'c']) machines.push(await new Machine(cluster, name).start(`of ${name}`));
  });
  afterEach(async () => {
    for (const { reconciler, member } of machines) {
      await member.close();
      await reconciler.close();
    }
  });
  const [a, b, c] = [0, 1, 2].map((i) => () => machines[i] as Machine) as [() => Machine, () => Machine, () => Machine];

  async function all(rev: number): Promise<void> {
    for (const { member } of machines) expect(await member.state.waitFor(rev, 5000)).to.equal(true);
  }

  it('the first fleet member creates the fleet with its document, and later members adopt the document', () => {
    expect(machines.map((machine) => machine.get('value'))).to.deep.equal(['of a', 'of a', 'of a']);
    expect(cluster.log.map(({ who }) => who)).to.deep.equal(['a']);
  });

  it('changes made through a fleet member reach all members, and the member persists its position', async () => {
    await b().set('one', 1, { by: 'deploy' });
    await all(2);
    await c().set('two', 2);
    await all(3);
    expect(machines.map(({ reconciler }) => reconciler.document)).to.deep.equal(Array(3).fill(a().reconciler.document));
    expect(cluster.log.map(({ who }) => who)).to.deep.equal(['a', 'b deploy', 'c']);
    expect(a().kept.at(-1)).to.equal(3);
  });

  it('Member.revision matches the active document at all times', async () => {
    const [maker, other] = [toldBy(a()), toldBy(b())];
    await a().set('value', 'two');
    await all(2);
    await b().set('value', 'three');
    await all(3);
    expect(maker).to.deep.equal(['two at 2', 'three at 3']);
    expect(other).to.deep.equal(['two at 2', 'three at 3']);
  });

  it('a fleet member rejects changes until it has joined the fleet', async () => {
    const late = new Machine(cluster, 'late');
    machines.push(late);
    late.member.attach('first');
    await late.reconciler.load({ apps: { app: {} } }, { op: 'first' });
    // A client sends a change before the member has joined the fleet.
    expect(await codeOf(late.set('n', 1))).to.equal('ERR_FLEET_STORE');
    expect(late.get('n')).to.equal(undefined);
    late.member.start(null);
    expect(await late.member.state.waitFor(1, 5000)).to.equal(true);
    await late.set('n', 2);
    await all(2);
    expect(a().reconciler.document).to.deep.equal(late.reconciler.document);
  });

  it('a fleet member reports that an operation with the same ID has already been applied', async () => {
    await a().set('n', 1, { op: 'the-key' });
    await all(2);
    expect(await codeOf(b().set('n', 2, { op: 'the-key' }))).to.equal('ERR_FLEET_KNOWN');
    expect(cluster.log.length).to.equal(2);
    expect(b().get('n')).to.equal(1);
  });

  it('a fleet member rejects changes while the store is unavailable, continues serving, and catches up', async () => {
    a().isCut = true;
    expect(await codeOf(a().set('n', 1))).to.equal('ERR_FLEET_STORE');
    await b().set('n', 2);
    expect(a().member.state.outage?.reason).to.include('it is cut');
    expect(a().get('n')).to.equal(undefined);
    a().isCut = false;
    await all(2);
    expect(a().get('n')).to.equal(2);
    expect(await codeOf(a().set('n', 3))).to.equal(null);
  });

  it('a fleet member reports a change that fails to apply, keeps its configuration, and recovers', async () => {
    b().refuses = 'unheard of';
    await a().set('n', 'unheard of');
    await a().member.state.waitFor(2, 5000);
    while (b().member.state.rejected === null) await sleep(5);
    expect(b().member.state.rejected).to.include({ rev: 2, message: 'this machine cannot' });
    expect([b().get('n'), c().get('n')]).to.deep.equal([undefined, 'unheard of']);
    expect(await codeOf(b().set('m', 1))).to.equal('ERR_FLEET_BEHIND');
    await c().set('n', 'known');
    await all(3);
    expect([b().member.state.rejected, b().get('n')]).to.deep.equal([null, 'known']);
  });

  it('a fleet member rejects a reload of its configuration file', async () => {
    expect(await codeOf(a().set('n', 1, { origin: 'watch' }))).to.equal('ERR_FLEET_FILE');
  });

  it('exactly one fleet member reverts an unconfirmed change', async () => {
    await a().set('n', 1, { confirmWithin: 150 });
    await all(2);
    expect(machines.map((machine) => machine.get('n'))).to.deep.equal([1, 1, 1]);
    expect(await codeOf(b().set('m', 1))).to.equal('ERR_UNCONFIRMED');
    await all(3);
    await sleep(100);
    expect(machines.map((machine) => machine.get('n'))).to.deep.equal([undefined, undefined, undefined]);
    expect(cluster.log.length).to.equal(3);
    expect(await codeOf(b().set('m', 1))).to.equal(null);
  });

  it('exactly one other fleet member reverts an unconfirmed change if the author has failed', async () => {
    await a().set('n', 1, { confirmWithin: 300 });
    await all(2);
    // The member that made the change is disconnected permanently and must not interfere.
    a().isCut = true;
    const others = machines.slice(1);
    for (const { member } of others) expect(await member.state.waitFor(3, 10_000)).to.equal(true);
    await sleep(400);
    expect(others.map((machine) => machine.get('n'))).to.deep.equal([undefined, undefined]);
    expect(cluster.log.length).to.equal(3);
    expect(cluster.log.at(-1)?.who.startsWith('a')).to.equal(false);
    expect(await codeOf(b().set('m', 1))).to.equal(null);
  });

  it('any fleet member can confirm a change', async () => {
    await a().set('n', 1, { confirmWithin: 300 });
    await all(2);
    const { unconfirmed } = c().reconciler;
    await c().reconciler.confirm(unconfirmed?.revision ?? 0);
    await all(3);
    await sleep(400);
    expect(machines.map((machine) => machine.get('n'))).to.deep.equal([1, 1, 1]);
    expect(machines.map(({ reconciler }) => reconciler.unconfirmed)).to.deep.equal([null, null, null]);
    expect(cluster.log.length).to.equal(3);
  });

  it('a fleet member saves a snapshot after 256 revisions, and new members start from the snapshot', async () => {
    for (let i = 0; i < 260; i++) await a().set('n', i);
    await all(261);
    expect(cluster.snapshot?.head.rev).to.equal(256);
    cluster.trim(257);
    machines.push(await new Machine(cluster, 'd').start('of d'));
    expect(machines[3]?.get('n')).to.equal(259);
  });
});
