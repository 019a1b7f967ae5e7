import { expect } from 'chai';
import { addAt } from '@sluice/reconciler';
import { entryAfter, headAt, MemoryCluster, MemoryStore, type Snapshot } from '@sluice/fleet';
import { SimulatedMember, sound, type Making } from './simulated-member.ts';
import { World } from './world.ts';

/** Simulates a failover after `made` changes that loses the last `lost` of them. Afterwards, another client makes `later` changes. */
async function failover(seed: number, making: Making = sound): Promise<{ members: SimulatedMember[]; world: World }> {
  const world = new World(seed);
  const cluster = new MemoryCluster();
  const members = [0, 1, 2].map((i) => new SimulatedMember(`m${i}`, { world, cluster, making, trouble: 0 }));
  for (const member of members) await member.start();
  await world.runUntil(world.now + 2000);
  const made = 3 + world.below(6);
  for (let i = 0; i < made; i++) {
    const change = members[i % 3]?.reconciler.change((document) => addAt(document, ['apps', 'app', 'n'], i), {
      op: `${i}`,
    });
    await world.runUntil(world.now + 1000);
    await change;
  }
  const lost = 1 + world.below(made - 1);
  cluster.log.splice(cluster.log.length - lost);
  const last = cluster.log.at(-1);
  if (last === undefined || cluster.head === null) throw new Error('nothing was made');
  const { lineage } = cluster.head;
  cluster.head = headAt(lineage, last);
  for (let i = world.below(lost + 2); i > 0; i--) {
    const change = { op: `other ${i}`, who: 'x', when: 1, patch: [], inverse: [], requires: [] };
    cluster.swap(cluster.head, lineage, [entryAfter(cluster.head, change)]);
  }
  return { members, world };
}

describe('stores that lose acknowledged changes', function () {
  this.timeout(60_000);

  it('in 100 of 100 runs, every fleet member detects a lost history within 2 s and applies no entry of the new history', async () => {
    for (let seed = 0; seed < 100; seed++) {
      const { members, world } = await failover(seed);
      const before = members.map(({ reconciler }) => reconciler.document);
      await world.runUntil(world.now + 2000);
      for (const { member, name } of members) expect(member.state.fork, `seed ${seed}, ${name}`).not.to.equal(null);
      expect(members.map(({ reconciler }) => reconciler.document)).to.deep.equal(before);
      const refused = members[0]?.reconciler.change(() => null).catch((error: unknown) => error);
      await world.runUntil(world.now + 1000);
      expect(await refused).to.include({ code: 'ERR_FLEET_FORKED', status: 409 });
      for (const member of members) await member.close();
    }
  });

  /** Time needed to read a snapshot, in milliseconds. */
  let slowness = 0;
  const slow: Making = {
    ...sound,
    makeStore: (cluster, link, environment) =>
      new (class extends MemoryStore {
        override async snapshot(): Promise<Snapshot | null> {
          await new Promise<void>((resolve) => void environment.after(slowness, resolve));
          return super.snapshot();
        }
      })(cluster, link, environment),
  };

  for (const [how, takes] of Object.entries({ '': 0, ', even if this takes a while': 1500 }))
    it(`a fleet member follows the store again after an operator has adopted the store${how}`, async () => {
      const { members, world } = await failover(1, slow);
      await world.runUntil(world.now + 2000);
      slowness = takes;
      const adopted = Promise.all(members.map(({ member }) => member.adopt()));
      await world.runUntil(world.now + 3000);
      await adopted;
      const [one, ...others] = members.map(({ reconciler, member }) => [
        reconciler.document,
        member.state.applied?.hash,
      ]);
      for (const other of others) expect(other).to.deep.equal(one);
      expect(members.map(({ member }) => member.state.fork)).to.deep.equal([null, null, null]);
      for (const member of members) await member.close();
      slowness = 0;
    });
});
