import { expect } from 'chai';
import { timeOfDay } from '../../src/logging/wall-clock.ts';

describe('timeOfDay', () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  it('timeOfDay returns whole milliseconds since the Unix epoch', () => {
    const time = timeOfDay(performance.now());
    expect(time).to.be.closeTo(Date.now(), 5);
    expect(Number.isInteger(time)).to.equal(true);
    expect(timeOfDay(performance.now() + 500) - time).to.be.closeTo(500, 20);
  });

  it('timeOfDay detects clock adjustments within a second', () => {
    timeOfDay(performance.now());
    Date.now = () => now() + 3_600_000;
    const later = performance.now() + 1001;
    expect(timeOfDay(later)).to.be.closeTo(now() + 3_600_000 + 1001, 20);
    Date.now = now;
    expect(timeOfDay(later + 1001)).to.be.closeTo(now() + 2002, 20);
  });
});
