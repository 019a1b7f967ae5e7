import { expect } from 'chai';
import { judge, type StageView } from '@sluice/rollout';
import { traffic } from './traffic.ts';

const good = traffic([[10, 1000]]);

describe('judge', () => {
  const stage: StageView = {
    new: good,
    old: good,
    held: 30_000,
    hold: 30_000,
    waited: 30_000,
    waitedBefore: 29_000,
    interval: 1000,
    isPaused: false,
    isPassed: false,
    obstacle: null,
    expected: [],
    cells: [],
  };

  it('judge() completes a stage after its hold time', () => {
    expect(judge(stage)).to.deep.equal({ worse: null, lacking: null, isComplete: true });
    expect(judge({ ...stage, held: 29_999 }).isComplete).to.equal(false);
    expect(judge({ ...stage, isPaused: true }).isComplete).to.equal(false);
    expect(judge({ ...stage, obstacle: 'not now' }).isComplete).to.equal(false);
  });

  it('judge() requires 300 requests on each side, unless the stage is marked as passed', () => {
    const few = traffic([[10, 299]]);
    expect(judge({ ...stage, new: few })).to.deep.equal({ worse: null, lacking: 'new', isComplete: false });
    expect(judge({ ...stage, old: few })).to.deep.equal({ worse: null, lacking: 'old', isComplete: false });
    expect(judge({ ...stage, new: few, isPassed: true }).isComplete).to.equal(true);
  });

  it('judge() compares once per interval before the end of a stage, with a stricter significance level', () => {
    const failing = traffic([[10, 500]], 50);
    expect(judge({ ...stage, new: failing, held: 5000, waited: 5000, waitedBefore: 4900 }).worse).to.be.a('string');
    expect(judge({ ...stage, new: failing, held: 5000, waited: 5100, waitedBefore: 5050 }).worse).to.equal(null);
    const slightly = traffic([[10, 500]], 12);
    expect(judge({ ...stage, new: slightly }).worse).to.be.a('string');
    expect(judge({ ...stage, new: slightly, held: 5000 }).worse).to.equal(null);
  });

  it('judge() evaluates the end of a stage only once, even if the change cannot be applied at that time', () => {
    const slightly = traffic([[10, 500]], 12);
    const waiting = { ...stage, new: slightly, wasComplete: true };
    expect(judge({ ...waiting, waited: 100_100, waitedBefore: 100_050 })).to.include({ worse: null, isComplete: true });
    expect(judge({ ...waiting, waited: 105_000, waitedBefore: 104_900 }).worse).to.equal(null);
  });
});
