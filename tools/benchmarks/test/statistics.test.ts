import { expect } from 'chai';
import fc from 'fast-check';
import { median, pairedRatios, percentile, typicalRatio, verdictOn } from '../src/statistics.ts';

describe('benchmark tool: statistics', () => {
  it('median supports odd and even numbers of values', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3])]).to.deep.equal([2, 2.5]);
    expect(percentile([5, 1, 4, 2, 3], 0.99)).to.equal(5);
  });

  it('pairedRatios divides values pair by pair', () => {
    expect(pairedRatios([2, 6, 5], [1, 2, 5])).to.deep.equal({ low: 1, middle: 2, high: 3 });
  });

  it('typicalRatio uses the same ranks as published tables of the exact signed-rank test', () => {
    // Published tables of the signed-rank test. The number of means to cut on each side is 1 for n = 6, 4 for n = 8, and 9 for n = 10.
    for (const [pairs, cut] of [
      [6, 1],
      [8, 4],
      [10, 9],
    ] as const) {
      const logarithms = Array.from({ length: pairs }, (_, i) => 2 ** i);
      const means = logarithms.flatMap((one, i) => logarithms.slice(i).map((other) => (one + other) / 2));
      means.sort((a, b) => a - b);
      const { low, high } = typicalRatio(logarithms.map((value) => Math.exp(value / 1000)));
      expect(low).to.be.closeTo(Math.exp((means[cut - 1] ?? 0) / 1000), 1e-9);
      expect(high).to.be.closeTo(Math.exp((means.at(-cut) ?? 0) / 1000), 1e-9);
    }
  });

  it('typicalRatio reports no difference for fewer than six pairs', () => {
    expect(verdictOn(typicalRatio([2, 2, 2, 2, 2]))).to.equal('no difference found');
    expect(verdictOn(typicalRatio([2, 2, 2, 2, 2, 2]))).to.equal('faster');
  });

  it('typicalRatio is robust against a single bad round', () => {
    expect(verdictOn(typicalRatio([1.05, 1.04, 1.06, 1.05, 0.2, 1.05, 1.04, 1.06, 1.05, 1.05, 1.04, 1.06]))).to.equal(
      'faster',
    );
    expect(verdictOn(typicalRatio([1.01, 0.99, 3, 1.02, 0.98, 1, 1.01, 0.99]))).to.equal('no difference found');
  });

  it('verdictOn reports a difference for pure noise in about one in twenty comparisons', () => {
    let seed = 7;
    const uniform = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const noise = (): number => Math.exp(0.1 * (uniform() + uniform() + uniform() - 1.5));
    let wrong = 0;
    for (let i = 0; i < 1000; i++)
      if (verdictOn(typicalRatio(Array.from({ length: 8 }, noise))) !== 'no difference found') wrong++;
    expect(wrong).to.be.within(5, 70);
  });

  it('verdictOn inverts its verdict if the pairs are swapped', () => {
    const ratio = fc.double({ min: 0.2, max: 5, noNaN: true });
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 6, maxLength: 12 }), (ratios) => {
        const [one, other] = [typicalRatio(ratios), typicalRatio(ratios.map((each) => 1 / each))];
        expect(other.middle).to.be.closeTo(1 / one.middle, 1e-9);
        expect(other.low).to.be.closeTo(1 / one.high, 1e-9);
      }),
    );
  });
});
