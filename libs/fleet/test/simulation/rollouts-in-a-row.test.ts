import { expect } from 'chai';
import type { FleetRehearsal } from '@sluice/contracts';
import { MemoryCluster, MemoryStore, type StoreLease } from '@sluice/fleet';
import { coordination } from '../../src/rollout/coordinator.ts';
import { decodeState, isActive, keys, type RolloutState } from '../../src/rollout/rollout.ts';
import { soundRollout } from './play-rollout.ts';
import { RolloutMachine } from './rollout-machine.ts';
import { World } from './world.ts';

/** Time between attempts to start the next rollout, in milliseconds. */
const attempt = 100;

const stages = 'canary:1,all;hold=5s';

function setting(value: string): FleetRehearsal {
  return { operations: [{ op: 'replace', path: '/apps/app/value', value }], modules: [] };
}

function stateOf(cluster: MemoryCluster, { now }: World): RolloutState | null {
  const text = cluster.values(keys.state, now).get(keys.state);
  return text === undefined ? null : decodeState(text);
}

/**
 * Starts rollouts back to back. Returns the values served by members that should have the change, and the values served by the other
 * members.
 */
async function playInARow(seed: number, values: readonly string[]): Promise<{ tried: unknown[]; others: unknown[] }[]> {
  const world = new World(seed);
  const cluster = new MemoryCluster();
  const shared = { world, cluster, trouble: 0, ...soundRollout, rate: 100, failing: 0 };
  const machines = [0, 1, 2].map((i) => new RolloutMachine(`m${i}`, shared));
  for (const machine of machines) await machine.start();
  await world.runUntil(world.now + 5000);
  const state = (): RolloutState | null => stateOf(cluster, world);
  const seen: { tried: unknown[]; others: unknown[] }[] = [];
  for (const [i, value] of values.entries()) {
    const plan = { op: `${seed} ${value}`, by: null, plan: stages };
    for (let hasBegun = false; !hasBegun; await world.runUntil(world.now + attempt)) {
      const { rollouts } = (machines[i % machines.length] as RolloutMachine).life;
      void rollouts.begin(plan, async () => setting(value)).catch(() => null);
      await world.runUntil(world.now + attempt);
      hasBegun = state()?.id === plan.op;
    }
    await world.runUntil(world.now + 4000);
    const { members = {} } = state() ?? {};
    const servedBy = (isMember: boolean): unknown[] =>
      machines.filter(({ name }) => Object.hasOwn(members, name) === isMember).map(({ serves }) => serves);
    seen.push({ tried: servedBy(true), others: servedBy(false) });
    while (isActive(state())) await world.runUntil(world.now + attempt);
  }
  for (const machine of machines) machine.kill();
  return seen;
}

describe('consecutive simulated rollouts', function () {
  this.timeout(120_000);

  it('the members of a rollout stage load each change, even if they had already loaded the previous change', async () => {
    for (let seed = 0; seed < 30; seed++)
      expect(await playInARow(seed, ['one', 'two', 'three']), `seed ${seed}`).to.deep.equal([
        { tried: ['one'], others: ['first', 'first'] },
        { tried: ['two'], others: ['one', 'one'] },
        { tried: ['three'], others: ['two', 'two'] },
      ]);
  });

  it('a rollout does not start if another member has started a rollout in the meantime and then failed', async () => {
    const world = new World(1);
    const cluster = new MemoryCluster();
    const goesOn = Promise.withResolvers<void>();
    let isAsked = false;
    /** A store that delays the lease of the first machine, so no member takes over from the second machine. */
    class SlowStore extends MemoryStore {
      override async lease(key: string, value: string, seconds: number): Promise<StoreLease | null> {
        if (key === coordination.lease && value !== 'm1') {
          if (isAsked) return null;
          isAsked = true;
          await goesOn.promise;
        }
        return super.lease(key, value, seconds);
      }
    }
    const makeStore: typeof soundRollout.makeStore = (...parts) => new SlowStore(...parts);
    const shared = { world, cluster, trouble: 0, makeStore, rate: 100, failing: 0 };
    const [late, early, other] = ['m0', 'm1', 'm2'].map((name) => new RolloutMachine(name, shared)) as [
      RolloutMachine,
      RolloutMachine,
      RolloutMachine,
    ];
    for (const machine of [late, early, other]) await machine.start();
    await world.runUntil(world.now + 5000);
    let said: unknown = null;
    const begin = ({ life: { rollouts } }: RolloutMachine, op: string): Promise<unknown> =>
      rollouts.begin({ op, by: null, plan: stages }, async () => setting(op)).catch((error: unknown) => error);
    void begin(late, 'late').then((result) => (said = result));
    await world.runUntil(world.now + 1000);
    void begin(early, 'early');
    while (!isActive(stateOf(cluster, world))) await world.runUntil(world.now + attempt);
    early.kill();
    await world.runUntil(world.now + 2000 * coordination.seconds);
    expect(said).to.equal(null);
    goesOn.resolve();
    await world.runUntil(world.now + 1000);
    expect(said).to.include({ code: 'ERR_FLEET_ROLLOUT', status: 409 });
    expect(stateOf(cluster, world)?.id).to.equal('early');
    for (const machine of [late, other]) machine.kill();
  });
});
