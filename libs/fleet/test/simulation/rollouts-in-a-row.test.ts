import { expect } from 'chai';
import type { FleetRehearsal } from '@sluice/contracts';
import { MemoryCluster } from '@sluice/fleet';
import { decodeState, isActive, keys, type RolloutState } from '../../src/rollout/rollout.ts';
import { soundRollout } from './play-rollout.ts';
import { RolloutMachine } from './rollout-machine.ts';
import { World } from './world.ts';

/** Milliseconds between two attempts to begin the next one. */
const attempt = 100;

/** Rolls out one change right after the other; what the members serve that should have the change, and the others. */
async function playInARow(seed: number, values: readonly string[]): Promise<{ tried: unknown[]; others: unknown[] }[]> {
  const world = new World(seed);
  const cluster = new MemoryCluster();
  const shared = { world, cluster, trouble: 0, ...soundRollout, rate: 100, failing: 0 };
  const machines = [0, 1, 2].map((i) => new RolloutMachine(`m${i}`, shared));
  for (const machine of machines) await machine.start();
  await world.runUntil(world.now + 5000);
  const state = (): RolloutState | null => {
    const text = cluster.values(keys.state, world.now).get(keys.state);
    return text === undefined ? null : decodeState(text);
  };
  const seen: { tried: unknown[]; others: unknown[] }[] = [];
  for (const [i, value] of values.entries()) {
    const tryOut = async (): Promise<FleetRehearsal> => ({
      operations: [{ op: 'replace', path: '/apps/app/value', value }],
      modules: [],
    });
    const plan = { op: `${seed} ${value}`, by: null, plan: 'canary:1,all;hold=5s' };
    for (let hasBegun = false; !hasBegun; await world.runUntil(world.now + attempt)) {
      const { rollouts } = (machines[i % machines.length] as RolloutMachine).life;
      void rollouts.begin(plan, tryOut).catch(() => null);
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

describe('roll-outs in a row in a simulation', function () {
  this.timeout(120_000);

  it('have each change tried by the members of its stage, also by one that has tried the one before', async () => {
    for (let seed = 0; seed < 30; seed++)
      expect(await playInARow(seed, ['one', 'two', 'three']), `seed ${seed}`).to.deep.equal([
        { tried: ['one'], others: ['first', 'first'] },
        { tried: ['two'], others: ['one', 'one'] },
        { tried: ['three'], others: ['two', 'two'] },
      ]);
  });
});
