import { expect } from 'chai';
import { beginning } from '@sluice/fleet';
import { noTraffic, parsePlan } from '@sluice/rollout';
import type { TrafficCounts } from '@sluice/contracts';
import { advance, begin } from '../../src/rollout/advance.ts';
import type { Observed } from '../../src/rollout/reports.ts';
import type { RolloutChange, RolloutState } from '../../src/rollout/rollout.ts';
import { rollOut, type SimulatedTraffic } from './simulated-traffic.ts';

/** Counts the simulated rollouts that end in the given phase. */
function count(runs: number, phase: string, options: Omit<SimulatedTraffic, 'seed'>): number {
  let found = 0;
  for (let seed = 0; seed < runs; seed++) if (rollOut({ ...options, seed }).phase === phase) found++;
  return found;
}

describe('advance', function () {
  this.timeout(120_000);

  it('in at least 99 of 100 runs, advance() rolls back a change that fails 5 % of requests at 10 requests per second', () => {
    const taken = count(100, 'taken_back', { rate: 10, failing: { new: 0.05, old: 0 } });
    expect(taken).to.be.at.least(99);
    expect(count(100, 'taken_back', { rate: 10, failing: { new: 0.05, old: 0.01 } })).to.be.at.least(99);
  });

  it('advance() rolls back at most 5 of 1,000 rollouts if both versions fail 1 % of requests, and completes the others @long', () => {
    const equal = { rate: 10, failing: { new: 0.01, old: 0.01 } };
    const taken = count(1000, 'taken_back', equal);
    expect(taken).to.be.at.most(5);
    expect(count(100, 'promoting', { ...equal, latency: { new: 20, old: 20 } })).to.be.at.least(99);
  });

  it('advance() rolls back a change that is much slower, and completes a change that is slightly slower', () => {
    const failing = { new: 0, old: 0 };
    expect(count(100, 'taken_back', { rate: 10, failing, latency: { new: 100, old: 20 } })).to.be.at.least(99);
    expect(count(100, 'promoting', { rate: 10, failing, latency: { new: 24, old: 20 } })).to.equal(100);
  });

  it('advance() does not complete a stage while a member with the new version is not reporting', () => {
    const failing = { new: 0, old: 0 };
    const { phase, why } = rollOut({ seed: 1, rate: 20, failing, silent: true });
    expect([phase, why]).to.deep.equal(['paused', 'no report from m3']);
  });

  it('advance() pauses if there is little or no traffic', () => {
    const failing = { new: 0, old: 0 };
    expect(count(100, 'paused', { rate: 0, failing })).to.equal(100);
    const { why } = rollOut({ seed: 1, rate: 0, failing });
    expect(why).to.include('too few requests').and.include('canary:1').and.include('0 of 300');
    // A few requests may still arrive at the same time.
    expect(rollOut({ seed: 1, rate: 0.1, failing, seconds: 2000 }).phase).to.equal('paused');
    expect(rollOut({ seed: 1, rate: 0.1, failing, seconds: 40_000 }).phase).to.equal('promoting');
  });

  describe('rollout steps within the first member', () => {
    const plan = parsePlan('canary:1,all;first=10%,50%;hold=1s');
    const change: RolloutChange = {
      id: 'r',
      base: beginning('fleet'),
      from: '',
      patch: [],
      inverse: [],
      who: 'test',
      when: 0,
      plan,
    };
    const traffic = (failures: number): TrafficCounts => ({ ...noTraffic, requests: 1000, failures });
    /** Members that report the given failures per 1,000 requests, with and without the change on the first member. */
    const membersOf = (state: RolloutState | null, [now, beside]: readonly [number, number]): Observed[] =>
      ['a', 'b', 'c'].map((name) => {
        const isFirst = state !== null && Object.hasOwn(state.members, name);
        const report =
          state === null
            ? null
            : {
                id: 'r',
                has: isFirst ? ('new' as const) : ('old' as const),
                window: state.window,
                traffic: traffic(isFirst ? now : 500),
                beside: isFirst && state.stage < 2 ? traffic(beside) : null,
                heard: state.beat,
                lost: 0,
                path: null,
                message: null,
              };
        return { name, instance: name, isFit: true, report };
      });
    const run = (failures: readonly [number, number]): readonly RolloutState[] => {
      let state = begin(change, 'a', membersOf(null, failures));
      const states: RolloutState[] = [];
      for (let now = 0; state !== null && now < 20_000; now += 1000) {
        states.push(state);
        const members = membersOf(state, failures);
        const orders = { abort: null, pause: null, passed: new Set<number>() };
        state = advance(change, state, { members, orders, isAtBase: true, elapsed: 1000, now });
      }
      return states;
    };

    it('the first fleet member keeps its role through all steps, and no other member has the change before the last stage', () => {
      const states = run([0, 0]);
      const stages = states.filter(({ phase }) => phase === 'spreading').map(({ stage }) => stage);
      expect(stages).to.deep.equal([0, 1, 2]);
      expect(new Set(states.map(({ members }) => JSON.stringify(members)))).to.have.property('size', 1);
      expect(states.at(-1)?.phase).to.equal('promoting');
    });

    it('the first fleet member compares its own clients with each other, not with clients of other members', () => {
      // On the other members, half of the requests fail.
      const { phase, stage } = run([100, 0]).at(-1) as RolloutState;
      expect([phase, stage]).to.deep.equal(['taken_back', 0]);
    });
  });
});
