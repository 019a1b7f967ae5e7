import { expect } from 'chai';
import { findGrowth, growthOf } from '../../src/soak/protocols/verdict.ts';
import type { Sample } from '../../src/soak/protocols/served.ts';

const mib = 1024 * 1024;

/** Returns one sample per minute for an hour. `change` returns the values that differ from a flat server. */
function hour(change: (minute: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: 60 }, (_, index) => ({
    minute: index + 1,
    resident: 200 * mib,
    collected: 90 * mib,
    allocated: 30 * mib,
    descriptors: 40,
    serverSeconds: index,
    clientSeconds: index,
    ...change(index + 1),
  }));
}

const found = (change: (minute: number) => Partial<Sample>): string[] => findGrowth(growthOf(hour(change), 15));

describe('verdict of the soak test of all protocols', function () {
  it('findGrowth accepts noise, and growth in the first minutes', () => {
    const noise = (minute: number): number => ((minute * 7919) % 5) - 2;
    expect(
      found((minute) => ({
        collected: (Math.min(90, 60 + 2 * minute) + noise(minute)) * mib,
        allocated: (30 + noise(minute)) * mib,
        resident: (200 + 4 * noise(minute)) * mib,
        descriptors: 40 + noise(minute),
      })),
    ).to.deep.equal([]);
  });

  it('findGrowth reports each value that grows steadily', () => {
    expect(found((minute) => ({ collected: (90 + 0.2 * minute) * mib }))).to.deep.equal([
      'memory after garbage collection grew by 2048 KiB in ten minutes',
    ]);
    expect(found((minute) => ({ allocated: (30 + 0.2 * minute) * mib }))).to.deep.equal([
      'memory allocated by malloc grew by 2048 KiB in ten minutes',
    ]);
    expect(found((minute) => ({ resident: (200 + minute) * mib }))[0]).to.match(/^resident memory grew by 1\d%$/);
    expect(found((minute) => ({ descriptors: 40 + minute }))).to.deep.equal([
      'file descriptors grew by 10.0 in ten minutes',
    ]);
  });
});
