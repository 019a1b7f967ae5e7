/** Simulates a rollout without a store. Its members only count requests. A thousand simulations take a second. */
import { beginning } from '@sluice/fleet';
import type { TrafficCounts } from '@sluice/contracts';
import { advance, begin, type Orders } from '../../src/rollout/advance.ts';
import type { Observed } from '../../src/rollout/reports.ts';
import { isActive, type RolloutChange, type RolloutState } from '../../src/rollout/rollout.ts';
import { addTraffic, bucketOfLatency, noTraffic, parsePlan } from '@sluice/rollout';
import { World } from '../simulation/world.ts';

/** Simulated traffic of the members. */
export interface SimulatedTraffic {
  readonly seed: number;
  readonly plan?: string;
  readonly members?: number;
  /** Requests affected by the change, per member per second. */
  readonly rate: number;
  /** Failure rates. */
  readonly failing: { readonly new: number; readonly old: number };
  /** Typical latency in milliseconds. If omitted, no latency is reported. */
  readonly latency?: { readonly new: number; readonly old: number };
  readonly seconds?: number;
  /** If true, members with the change stop reporting. Their last report remains. */
  readonly silent?: boolean;
  readonly orders?: (second: number) => Partial<Orders>;
}

const noOrders: Orders = { abort: null, pause: null, passed: new Set() };

/** Runs a rollout up to the time limit. Returns its last state. */
export function rollOut(options: SimulatedTraffic): RolloutState {
  const {
    seed,
    plan = 'canary:1,10%,50%,all;hold=30s',
    members = 10,
    seconds = 600,
    orders = () => ({}),
    silent = false,
  } = options;
  const world = new World(seed);
  const change: RolloutChange = {
    id: `${seed}`,
    base: beginning('fleet'),
    from: '',
    patch: [],
    inverse: [],
    who: 'test',
    when: 0,
    plan: parsePlan(plan),
  };
  const names = Array.from({ length: members }, (_, i) => `m${i}`);
  const counted = new Map(names.map((name) => [name, noTraffic]));
  const observed = (state: RolloutState | null): Observed[] =>
    names.map((name) => ({
      name,
      instance: name,
      isFit: true,
      report:
        state === null
          ? null
          : {
              id: state.id,
              has: Object.hasOwn(state.members, name) ? 'new' : 'old',
              window: state.window,
              traffic: counted.get(name) as TrafficCounts,
              heard: silent ? 1 : state.beat,
              beside: null,
              lost: 0,
              path: null,
              message: null,
            },
    }));
  let state = begin(change, 'm0', observed(null)) as RolloutState;
  for (let second = 0; second < seconds && isActive(state) && state.phase !== 'promoting'; second++) {
    const { window } = state;
    const seen = { members: observed(state), orders: { ...noOrders, ...orders(second) }, isAtBase: true };
    state = { ...advance(change, state, { ...seen, elapsed: 1000, now: second * 1000 }), beat: second + 2 };
    for (const name of names) {
      const before = state.window === window ? (counted.get(name) as TrafficCounts) : noTraffic;
      counted.set(name, addTraffic(before, oneSecond(world, options, Object.hasOwn(state.members, name))));
    }
  }
  return state;
}

/** Simulates one second of requests to one member. The number of requests is random. */
function oneSecond(world: World, { rate, failing, latency }: SimulatedTraffic, isNew: boolean): TrafficCounts {
  const side = isNew ? 'new' : 'old';
  const buckets: number[] = [];
  let [requests, failures] = [0, 0];
  for (let at = -Math.log(1 - world.random()); at < rate; at -= Math.log(1 - world.random())) {
    requests++;
    if (world.random() < failing[side]) failures++;
    if (latency === undefined) continue;
    const bucket = bucketOfLatency(latency[side] * Math.exp(world.random() + world.random() - 1));
    while (buckets.length <= bucket) buckets.push(0);
    buckets[bucket] = (buckets[bucket] as number) + 1;
  }
  return { requests, failures, upstreamFailures: 0, clientErrors: 0, redirects: 0, cut: 0, latency: buckets };
}
