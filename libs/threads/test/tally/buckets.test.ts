import { expect } from 'chai';
import fc from 'fast-check';
import { bucketCount, bucketOf, distributionOf, valueOf } from '@sluice/threads';

/** Computes a percentile exactly by sorting the values. */
function exact(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
}

describe('bucketOf, valueOf and distributionOf', () => {
  it('bucketOf and valueOf have an error of at most 5 %, for latencies from microseconds to minutes', () => {
    fc.assert(
      fc.property(fc.double({ min: -7, max: 18.9, noNaN: true }), (exponent) => {
        const value = 2 ** exponent;
        expect(Math.abs(valueOf(bucketOf(value)) - value) / value).to.be.at.most(0.05);
      }),
      { numRuns: 5000 },
    );
  });

  it('bucketOf accepts values that are too small, too large, or not a number', () => {
    for (const value of [0, -1, 1e-9]) expect(bucketOf(value)).to.equal(0);
    for (const value of [1e9, Number.POSITIVE_INFINITY, Number.NaN]) expect(bucketOf(value)).to.equal(bucketCount - 1);
  });

  it('distributionOf includes values that are too small and too large', () => {
    const buckets = new Uint32Array(bucketCount);
    buckets[0] = 3;
    expect(distributionOf(buckets)).to.deep.equal({
      count: 3,
      mean: valueOf(0),
      p50: valueOf(0),
      p90: valueOf(0),
      p99: valueOf(0),
      max: valueOf(0),
    });
    buckets[bucketCount - 1] = 1;
    const last = valueOf(bucketCount - 1);
    const mean = (3 * valueOf(0) + last) / 4;
    expect(distributionOf(buckets)).to.deep.equal({ count: 4, mean, p50: valueOf(0), p90: last, p99: last, max: last });
  });

  it('distributionOf agrees within 5 % with percentiles computed from sorted values', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.01, max: 100_000, noNaN: true }), { minLength: 1 }), (values) => {
        const buckets = new Uint32Array(bucketCount);
        for (const value of values) buckets[bucketOf(value)] = (buckets[bucketOf(value)] as number) + 1;
        const distribution = distributionOf(buckets);
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        const wanted = {
          mean,
          p50: exact(values, 0.5),
          p90: exact(values, 0.9),
          p99: exact(values, 0.99),
          max: exact(values, 1),
        };
        expect(distribution?.count).to.equal(values.length);
        for (const [name, value] of Object.entries(wanted))
          expect(distribution?.[name as keyof typeof wanted], name).to.be.closeTo(value, value * 0.05);
      }),
    );
    expect(distributionOf(new Uint32Array(bucketCount))).to.equal(null);
  });
});
