import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import { addAt, Reconciler, noThreads, Runtime } from '@sluice/reconciler';
import { Member, systemEnvironment, type FleetStore } from '@sluice/fleet';
import { apps, defineModule, json, options, Registry } from '@sluice/registry';
import { EtcdServer, hasEtcd } from '@sluice/testing/etcd';
import { openStore } from '../shared/stores.ts';

const title = 'many members of a fleet on etcd';

/** Number of fleet members. The README describes how to increase it. */
const members = Number(process.env['SLUICE_MEMBERS'] ?? 20);
const changes = 10;

const app = defineModule(apps, {
  name: 'app',
  help: 'Has a value.',
  config: options({ value: json('Any.') }),
  provision: () => ({}),
});

/** Starts a member in this process that uses a separate connection to the store. */
async function startMember(name: string, store: FleetStore): Promise<{ reconciler: Reconciler; member: Member }> {
  const registry = new Registry().add(app);
  const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
  const reconciler = new Reconciler({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
  const member = new Member({ reconciler, store, name, environment: systemEnvironment, log: silentLogger });
  member.attach('first');
  await reconciler.load({ apps: { app: {} } }, { op: 'first' });
  member.start(null);
  return { reconciler, member };
}

describe(hasEtcd ? title : `${title} (skipped: this machine has no etcd)`, function () {
  this.timeout(60_000 + members * 1000);

  it(`an etcd fleet delivers each change made on any member to all ${members} members`, async function () {
    if (!hasEtcd) this.skip();
    const nodes = await EtcdServer.startCluster(3);
    const endpoints = nodes.map(({ port }) => `127.0.0.1:${port}`);
    const all: { reconciler: Reconciler; member: Member; store: FleetStore }[] = [];
    try {
      for (let i = 0; i < members; i++) {
        const store = await openStore({ engine: 'etcd', endpoints }, 'many');
        const started = await startMember(`m${i}`, store);
        all.push({ ...started, store });
        expect(await started.member.state.waitFor(1, 20_000), `m${i} has joined`).to.equal(true);
      }
      const times: number[] = [];
      for (let i = 0; i < changes; i++) {
        const { reconciler } = all[(i * 7) % members] as (typeof all)[number];
        const began = performance.now();
        const arrivals = all.map(async ({ member }) => {
          expect(await member.state.waitFor(i + 2, 20_000)).to.equal(true);
          times.push(performance.now() - began);
        });
        await reconciler.change((document) => addAt(document, ['apps', 'app', 'value'], i));
        await Promise.all(arrivals);
      }
      times.sort((a, b) => a - b);
      const at = (share: number): number => Math.round(times[Math.floor((times.length - 1) * share)] as number);
      process.stdout.write(
        `        a change has come to one of ${members}: median ${at(0.5)} ms, p99 ${at(0.99)} ms\n`,
      );
      for (const { reconciler } of all) expect(reconciler.read(['apps', 'app', 'value'])).to.equal(changes - 1);
    } finally {
      for (const { reconciler, member, store } of all) {
        await member.close();
        await reconciler.close();
        await store.close();
      }
      for (const node of nodes) await node.stop();
    }
  });
});
