/** Rollout trials with real requests. Each function performs one kind of run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isOver, type CanaryFleet, type RolloutView } from './canary-fleet.ts';
import type { Random } from './random.ts';

export interface CanarySizes {
  /** Request rate for the changed route on each member, in requests per second. */
  readonly rate: number;
  /** Fraction of requests that fail. The first value is for a change that must be rolled back, the second for two equal versions. */
  readonly failing: number;
  readonly equal: number;
  /** Hold time of a rollout stage, in seconds. */
  readonly hold: number;
  /**
   * Hold time of the stage in which the coordinator is killed, in seconds. The next property, also in seconds, is the maximum time for
   * which two versions may stay in use beyond the hold time.
   */
  readonly killedHold: number;
  readonly grace: number;
  /**
   * Request rate in the stage in which the coordinator is killed. The rate is sufficient for a decision, so the stage does not wait for
   * more requests.
   */
  readonly killedRate: number;
}

/** Final state of a rollout, with its duration in seconds. */
export interface Ended {
  readonly state: string;
  readonly why: string;
  readonly seconds: number;
}

/**
 * Rolls out a change that fails more often than the old version. If both failure rates are the same, the change fails as often as the old
 * version.
 */
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
    return ended(await fleet.reaches(isOver, 'the rollout has ended'), began);
  });
}

/**
 * Rolls out a change of a route that receives no requests, while other routes do. Waits until the rollout would normally have advanced,
 * then returns its state.
 */
export async function tryUnseen(fleet: CanaryFleet, { rate }: CanarySizes): Promise<Ended> {
  await fleet.give(await fleet.upstream('old', 0));
  const tried = await fleet.upstream('new', 0);
  return fleet.withRequests('/', rate, async () => {
    const began = performance.now();
    await fleet.tryOut(tried, 'canary:1,50%,all;hold=1s');
    await fleet.reaches(({ state }) => state === 'paused', 'the rollout waits for requests');
    await sleep(3000);
    const view = await fleet.rollout();
    if (!isOver(view)) await fleet.abort();
    return ended(view, began);
  });
}

/** Result of a run in which the coordinator was killed. */
export interface Killed extends Ended {
  /** Time from the start of the stage until the coordinator was killed, in seconds. */
  readonly after: number;
  /** Time from the kill until the running members served a single version again, in seconds. */
  readonly mixed: number;
}

/** Kills the coordinator, which runs the old version, at a random time during the hold. Restarts the member when the rollout has ended. */
export async function killCoordinator(fleet: CanaryFleet, sizes: CanarySizes, random: Random): Promise<Killed> {
  const { killedHold, killedRate } = sizes;
  await fleet.give(await fleet.upstream('old', 0));
  const tried = await fleet.upstream('new', 0);
  const [coordinator] = fleet.members;
  if (coordinator === undefined) throw new Error('there are no members');
  const found = await fleet.withRequests('/changed', killedRate, async () => {
    const plan = `canary:1,all;hold=${killedHold}s`;
    await fleet.tryOut(tried, plan);
    // Skip a coordinator that is the only member with the new version. Killing it would end the mixture of versions.
    while ((await fleet.reaches(isHeld, 'the stage is on hold')).members.includes(coordinator.name)) {
      await fleet.abort();
      await fleet.tryOut(tried, plan);
    }
    const after = random.between(0, killedHold * 0.9);
    await sleep(after * 1000);
    const before = await fleet.rollout();
    if (before.coordinator !== coordinator.name || before.state !== 'holding')
      throw new Error(
        `unexpected rollout: coordinator ${before.coordinator}, state ${before.state}: ${before.why ?? ''}`,
      );
    await coordinator.kill();
    const began = performance.now();
    let mixed = 0;
    let view = before;
    // Verify that no later stage mixes versions again. Check once more after the rollout has ended.
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
