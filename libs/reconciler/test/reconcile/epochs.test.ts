import { expect } from 'chai';
import { EpochTracker } from '../../src/reconcile/epochs.ts';

describe('EpochTracker', () => {
  it('EpochTracker.isBusy considers requests of epochs in a half-open range', () => {
    const tracker = new EpochTracker();
    tracker.advance();
    const { current } = tracker;
    current.enter();
    const ranges = [
      [0, 1],
      [0, 2],
      [1, 2],
      [2, 3],
    ] as const;
    const busy = (): boolean[] => ranges.map(([from, to]) => tracker.isBusy(from, to));
    expect(busy()).to.deep.equal([false, true, true, false]);
    tracker.advance();
    expect(busy()).to.deep.equal([false, true, true, false]);
    current.leave();
    expect(busy()).to.deep.equal([false, false, false, false]);
  });

  it('EpochTracker reports that a past epoch has drained after its last request, but never the current epoch', () => {
    const tracker = new EpochTracker();
    let drained = 0;
    tracker.onDrained(() => drained++);
    const { current: past } = tracker;
    for (let i = 0; i < 3; i++) past.enter();
    past.leave();
    tracker.advance();
    past.leave();
    expect([drained, past.inFlight]).to.deep.equal([0, 1]);
    past.leave();
    expect([drained, past.inFlight]).to.deep.equal([1, 0]);
    const { current } = tracker;
    current.enter();
    current.leave();
    tracker.advance();
    expect([drained, current.number, tracker.current.number]).to.deep.equal([1, 1, 2]);
  });
});
