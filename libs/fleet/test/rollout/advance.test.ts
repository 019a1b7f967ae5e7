import { expect } from 'chai';
import { rollOut, type SimulatedTraffic } from './simulated-traffic.ts';

/** Counts the runs that end in a phase. */
function count(runs: number, phase: string, options: Omit<SimulatedTraffic, 'seed'>): number {
  let found = 0;
  for (let seed = 0; seed < runs; seed++) if (rollOut({ ...options, seed }).phase === phase) found++;
  return found;
}

describe('advance', function () {
  this.timeout(120_000);

  it('a change with 5 % failures at 10 requests per second is rolled back in at least 99 of 100 runs', () => {
    const taken = count(100, 'taken_back', { rate: 10, failing: { new: 0.05, old: 0 } });
    expect(taken).to.be.at.least(99);
    expect(count(100, 'taken_back', { rate: 10, failing: { new: 0.05, old: 0.01 } })).to.be.at.least(99);
  });

  it('at most 5 of 1,000 rollouts are rolled back if both versions fail for 1 % of requests, and the others are promoted @long', () => {
    const equal = { rate: 10, failing: { new: 0.01, old: 0.01 } };
    const taken = count(1000, 'taken_back', equal);
    expect(taken).to.be.at.most(5);
    expect(count(100, 'promoting', { ...equal, latency: { new: 20, old: 20 } })).to.be.at.least(99);
  });

  it('a rollout rolls back a much slower change and completes a slightly slower change', () => {
    const failing = { new: 0, old: 0 };
    expect(count(100, 'taken_back', { rate: 10, failing, latency: { new: 100, old: 20 } })).to.be.at.least(99);
    expect(count(100, 'promoting', { rate: 10, failing, latency: { new: 24, old: 20 } })).to.equal(100);
  });

  it('no stage completes while a member with the change does not respond', () => {
    const failing = { new: 0, old: 0 };
    const { phase, why } = rollOut({ seed: 1, rate: 20, failing, silent: true });
    expect([phase, why]).to.deep.equal(['paused', 'no report from m3']);
  });

  it('a rollout always pauses with no or too little traffic', () => {
    const failing = { new: 0, old: 0 };
    expect(count(100, 'paused', { rate: 0, failing })).to.equal(100);
    const { why } = rollOut({ seed: 1, rate: 0, failing });
    expect(why).to.include('too few requests').and.include('canary:1').and.include('0 of 300');
    // A few requests can still arrive at the same time.
    expect(rollOut({ seed: 1, rate: 0.1, failing, seconds: 2000 }).phase).to.equal('paused');
    expect(rollOut({ seed: 1, rate: 0.1, failing, seconds: 40_000 }).phase).to.equal('promoting');
  });
});
