import { expect } from 'chai';
import { EpochTracker } from '../../src/reconcile/epochs.ts';

describe('EpochTracker', () => {
  it('is busy with requests that began in a range of epochs, the first one included and the last one not', () => {
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
});
