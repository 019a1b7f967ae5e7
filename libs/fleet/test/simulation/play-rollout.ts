/** Simulates a rollout with faults and checks its invariants. */
import type { FleetRehearsal } from '@sluice/contracts';
import { hashNode, replaceAt } from '@sluice/reconciler';
import { MemoryCluster, MemoryStore } from '@sluice/fleet';
import { decodeState, isActive, keys, type RolloutState } from '../../src/rollout/rollout.ts';
import { RolloutMachine, type Shared } from './rollout-machine.ts';
import { replay } from './run.ts';
import { World } from './world.ts';

/** Hold time of a rollout stage, in milliseconds. */
const hold = 10_000;
/** Maximum time for which members may have different documents after the coordinator is killed, in addition to the hold time. */
const grace = 10_000;

const path = ['apps', 'app', 'value'];
const op = 'the-rollout';

/** Parts of the simulation that an injected defect can replace. */
export type RolloutMaking = Pick<Shared, 'makeStore'>;

/** Without defects. */
export const soundRollout: RolloutMaking = {
  makeStore: (cluster, link, environment) => new MemoryStore(cluster, link, environment),
};

/** Runs the simulation for a seed. Returns the violated invariants. */
export async function playRollout(
  seed: number,
  { makeStore }: RolloutMaking = soundRollout,
): Promise<readonly string[]> {
  const world = new World(seed);
  const cluster = new MemoryCluster();
  const entries: typeof cluster.log = [];
  cluster.listen(() => entries.push(...cluster.log.filter(({ rev }) => rev > (entries.at(-1)?.rev ?? 0))));
  const trouble = world.below(2) === 0 ? 0 : 0.05;
  const kind = world.below(4);
  const shared: Shared = { world, cluster, trouble, makeStore, rate: 100, failing: kind === 1 ? 0.2 : 0 };
  const machines = Array.from({ length: 4 }, (_, i) => new RolloutMachine(`m${i}`, shared));
  for (const machine of machines) await machine.start();
  await world.runUntil(world.now + 5000);
  const value = kind === 2 ? 'not on m3' : 'tried';
  const asked = machines[0] as RolloutMachine;
  const tryOut = async (): Promise<FleetRehearsal> => ({
    operations: [{ op: 'replace', path: '/apps/app/value', value }],
    modules: [],
  });
  const begun = asked.life.rollouts
    .begin({ op, by: null, plan: `canary:1,${world.below(2) === 0 ? '50%,' : ''}all;hold=${hold / 1000}s` }, tryOut)
    .catch(() => null);
  await world.runUntil(world.now + 4000);
  const problems: string[] = [];
  const alive = (): RolloutMachine[] => machines.filter(({ isDead }) => !isDead);
  const state = (): RolloutState | null => {
    const text = cluster.values(keys.state, world.now).get(keys.state);
    return text === undefined ? null : decodeState(text);
  };
  const isMixed = (): boolean => new Set(alive().map(({ serves }) => serves)).size > 1;
  // Injects faults. The coordinator and members are killed or disconnected at any time, and clients continue to change the document.
  await world.runUntil(world.now + world.below(2 * hold));
  const coordinator = machines.find(({ name }) => name === state()?.coordinator);
  const fault = world.below(5);
  const hasKilled = fault === 0 && coordinator !== undefined && isActive(state());
  if (hasKilled) coordinator.kill();
  else if (fault === 1 && coordinator !== undefined) coordinator.life.link.cutUntil = world.now + world.below(30_000);
  else if (fault === 2) void (machines[world.below(4)] as RolloutMachine).restart();
  else if (fault === 3) {
    const { reconciler } = (machines[1] as RolloutMachine).life;
    void reconciler
      .change((document) => replaceAt(document, path, 'other'), { origin: 'fleet, all the same' })
      .catch(() => null);
  }
  const { stage } = state() ?? { stage: -1 };
  await world.runUntil(world.now + hold + grace);
  const later = state();
  if (hasKilled && trouble === 0 && kind !== 2 && isMixed() && later?.stage === stage)
    problems.push(`${(hold + grace) / 1000} s after the coordinator was killed members serve different things`);
  await world.runUntil(world.now + 90_000);
  for (const { life } of machines) life.link.trouble = 0;
  for (const machine of machines) if (machine.isDead) await machine.restart();
  await world.runUntil(world.now + 60_000);
  await begun;
  const end = state();
  const times = entries.filter((entry) => entry.op === op).length;
  if (isActive(end)) problems.push(`the rollout is ${end.phase} in the end: ${end.why ?? ''}`);
  if (end?.phase === 'promoted' && times !== 1) problems.push(`it was promoted, and is in the log ${times} times`);
  if (end?.phase === 'taken_back' && times !== 0) problems.push('it was taken back, and is in the log');
  if (kind === 1 && times > 0) problems.push('it was promoted, although requests failed');
  if (kind === 2 && times > 0 && end?.stage !== 0 && Object.hasOwn(end?.members ?? {}, 'm3'))
    problems.push('it was promoted, although a member could not load it');
  const document = replay(entries);
  for (const { name, life, serves } of machines) {
    if (hashNode(life.reconciler.document) !== hashNode(document) && kind !== 2)
      problems.push(`${name} has another document`);
    const expected = (life.reconciler.document as { apps: { app: { value: string } } }).apps.app.value;
    if (serves !== expected) problems.push(`${name} serves ${String(serves)}, and has ${expected}`);
  }
  for (const machine of machines) machine.kill();
  return problems;
}
