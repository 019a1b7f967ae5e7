import { expect } from 'chai';
import { BackOff } from '../src/back-off.ts';

describe('BackOff', () => {
  it('BackOff starts without a delay, and then doubles the delay up to a limit', () => {
    const backOff = new BackOff({ first: 10, max: 50, healthy: 1000 });
    expect(Array.from({ length: 6 }, () => backOff.next(0))).to.deep.equal([0, 10, 20, 40, 50, 50]);
  });

  it('BackOff resets after a thread has run long enough', () => {
    const backOff = new BackOff({ first: 10, max: 50, healthy: 1000 });
    const lifetimes = [0, 999, 999, 1000, 0, 0, 5000, 0];
    expect(lifetimes.map((lifetime) => backOff.next(lifetime))).to.deep.equal([0, 10, 20, 0, 10, 20, 0, 10]);
  });

  it('BackOff uses delays from a fifth of a second to half a minute by default', () => {
    const backOff = new BackOff();
    expect(Array.from({ length: 12 }, () => backOff.next(59_999))).to.deep.equal([
      0, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000,
    ]);
    expect(backOff.next(60_000)).to.equal(0);
  });
});
