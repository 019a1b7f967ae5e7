import { expect } from 'chai';
import { rollOut, type SimulatedTraffic } from './simulated-traffic.ts';

/** How many of so many runs end so. */
function count(runs: number, phase: string, options: Omit<SimulatedTraffic, 'seed'>): number {
  let found = 0;
  for (let seed = 0; seed < runs; seed++) if (rollOut({ ...options, seed }).phase === phase) found++;
  return found;
}

describe('how a roll-out goes on', function () {
  this.timeout(120_000);

  it('takes back a change with 5 % failures at 10 requests a second: at least 99 of 100', () => {
    const taken = count(100, 'taken_back', { rate: 10, failing: { new: 0.05, old: 0 } });
    expect(taken).to.be.at.least(99);
    expect(count(100, 'taken_back', { rate: 10, failing: { new: 0.05, old: 0.01 } })).to.be.at.least(99);
  });

  it('rolls back at most 5 of 1,000 rollouts if both versions fail at 1 %, and promotes the others @long', () => {
    const equal = { rate: 10, failing: { new: 0.01, old: 0.01 } };
    const taken = count(1000, 'taken_back', equal);
    expect(taken).to.be.at.most(5);
    expect(count(100, 'promoting', { ...equal, latency: { new: 20, old: 20 } })).to.be.at.least(99);
  });

  it('takes back what is much slower, and not what is a little', () => {
    const failing = { new: 0, old: 0 };
    expect(count(100, 'taken_back', { rate: 10, failing, latency: { new: 100, old: 20 } })).to.be.at.least(99);
    expect(count(100, 'promoting', { rate: 10, failing, latency: { new: 24, old: 20 } })).to.equal(100);
  });

  it('passes no stage while nothing is heard of a member that tries the change', () => {
    const failing = { new: 0, old: 0 };
    const { phase, why } = rollOut({ seed: 1, rate: 20, failing, silent: true });
    expect([phase, why]).to.deep.equal(['paused', 'nothing is heard of m3 for a moment']);
  });

  it('pauses where there is no traffic, or too little: always', () => {
    const failing = { new: 0, old: 0 };
    expect(count(100, 'paused', { rate: 0, failing })).to.equal(100);
    const { why } = rollOut({ seed: 1, rate: 0, failing });
    expect(why).to.include('too few requests').and.include('canary:1').and.include('0 of 300');
    // Few requests come together in time.
    expect(rollOut({ seed: 1, rate: 0.1, failing, seconds: 2000 }).phase).to.equal('paused');
    expect(rollOut({ seed: 1, rate: 0.1, failing, seconds: 40_000 }).phase).to.equal('promoting');
  });
});
