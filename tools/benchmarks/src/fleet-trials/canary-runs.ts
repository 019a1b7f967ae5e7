/** What roll-outs have to do with real requests: one run of each kind. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isOver, type CanaryFleet, type RolloutView } from './canary-fleet.ts';
import type { Random } from './random.ts';

/** What the runs are made with. */
export interface CanarySizes {
  /** Requests by second to the route that is changed, to each member. */
  readonly rate: number;
  /** The share of requests that fail with a change that is to be taken back, and of both versions where they are equal. */
  readonly failing: number;
  readonly equal: number;
  /** Seconds that a stage is held. */
  readonly hold: number;
  /** The same, where the coordinator is killed within it, and by how much a mixture may outlast it. */
  readonly killedHold: number;
  readonly grace: number;
  /** Requests by second there: as many as the stage takes, so that it is not them that it waits for. */
  readonly killedRate: number;
}

/** How a roll-out ended, and after how many seconds. */
export interface Ended {
  readonly state: string;
  readonly why: string;
  readonly seconds: number;
}

/** Rolls out what fails more often than what it replaces; or as often, where the shares are the same. */
export async function compare(
  fleet: CanaryFleet,
  { rate, hold }: CanarySizes,
  shares: { readonly old: number; readonly new: number },
): Promise<Ended> {
  await fleet.give(await fleet.upstream('old', shares.old));
  const tried = await fleet.upstream('new', shares.new);
  return fleet.withRequests('/changed', rate, async () => {
    const began = performance.now();
    await fleet.tryOut(tried, `canary:1,50%,all;hold=${hold}s`);
    return ended(await fleet.reaches(isOver, 'the roll-out is over'), began);
  });
}

/** Rolls out a change of a route that no one asks for, while others are asked for: how it was when it should have gone on long ago. */
export async function tryUnseen(fleet: CanaryFleet, { rate }: CanarySizes): Promise<Ended> {
  await fleet.give(await fleet.upstream('old', 0));
  const tried = await fleet.upstream('new', 0);
  return fleet.withRequests('/', rate, async () => {
    const began = performance.now();
    await fleet.tryOut(tried, 'canary:1,50%,all;hold=1s');
    await fleet.reaches(({ state }) => state === 'paused', 'it waits for requests');
    await sleep(3000);
    const view = await fleet.rollout();
    if (!isOver(view)) await fleet.abort();
    return ended(view, began);
  });
}

/** What a killed coordinator left. */
export interface Killed extends Ended {
  /** Seconds after which it had held the stage when it was killed. */
  readonly after: number;
  /** Seconds from then on until members that run served one version again. */
  readonly mixed: number;
}

/** Kills the coordinator, which has the old version, at any moment of the hold. It runs again when the roll-out is over. */
export async function killCoordinator(fleet: CanaryFleet, sizes: CanarySizes, random: Random): Promise<Killed> {
  const { killedHold, killedRate } = sizes;
  await fleet.give(await fleet.upstream('old', 0));
  const tried = await fleet.upstream('new', 0);
  const [coordinator] = fleet.members;
  if (coordinator === undefined) throw new Error('there are no members');
  const found = await fleet.withRequests('/changed', killedRate, async () => {
    const plan = `canary:1,all;hold=${killedHold}s`;
    await fleet.tryOut(tried, plan);
    // With the one member that has the new version, the mixture would be gone.
    while ((await fleet.reaches(isHeld, 'the stage is held')).members.includes(coordinator.name)) {
      await fleet.abort();
      await fleet.tryOut(tried, plan);
    }
    const after = random.between(0, killedHold * 0.9);
    await sleep(after * 1000);
    const before = await fleet.rollout();
    if (before.coordinator !== coordinator.name || before.state !== 'holding')
      throw new Error(`${before.coordinator} coordinates, and it is ${before.state}: ${before.why ?? ''}`);
    await coordinator.kill();
    const began = performance.now();
    let mixed = 0;
    let view = before;
    // No later stage mixes versions again: a look after the end sees what there will be.
    for (let isLast = false; !isLast; await sleep(50)) {
      isLast = isOver(view);
      if (new Set(await fleet.served()).size > 1) {
        mixed = performance.now() - began;
        isLast = false;
      }
      view = await fleet.rollout();
      if (performance.now() - began > 120_000) {
        await fleet.abort();
        break;
      }
    }
    return { ...ended(view, began), after: rounded(after), mixed: rounded(mixed / 1000) };
  });
  await coordinator.run();
  await fleet.areReady();
  return found;
}

function isHeld({ state }: RolloutView): boolean {
  return state === 'holding';
}

function ended({ state, why = '' }: RolloutView, began: number): Ended {
  return { state, why, seconds: rounded((performance.now() - began) / 1000) };
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
