import { expect } from 'chai';
import { Latencies } from '../../src/shadow/latencies.ts';

/**
 * Returns the kinds of requests that became slower. Each measurement has three times: for the active configuration, the proposed
 * configuration, and the active configuration again.
 */
function slowerOf(...trios: (readonly [number, number, number])[]): string[] {
  const latencies = new Latencies();
  for (const [first, after, second] of trios) latencies.add('kind', [first, second], after);
  return latencies.slower().map(({ kind }) => kind);
}

const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

describe('Latencies', () => {
  it('Latencies.slower reports that all requests take longer', () => {
    expect(slowerOf(...times(7, [20, 60, 20] as const))).to.deep.equal(['kind']);
  });

  it('Latencies.slower reports that most requests take longer', () => {
    expect(slowerOf(...times(12, [20, 60, 20] as const), ...times(3, [90, 60, 20] as const))).to.deep.equal(['kind']);
  });

  it('Latencies.slower does not report a higher median if request latencies vary', () => {
    const varying = [
      [10, 60, 70],
      [12, 58, 90],
      [80, 55, 10],
      [10, 90, 11],
      [12, 52, 12],
    ] as const;
    expect(slowerOf(...varying, ...varying, ...varying)).to.deep.equal([]);
  });

  it('Latencies.slower does not report small differences, or differences based on only a few requests', () => {
    expect(slowerOf(...times(5, [20, 60, 20] as const))).to.deep.equal([]);
    expect(slowerOf(...times(50, [20, 38, 20] as const))).to.deep.equal([]);
  });
});
