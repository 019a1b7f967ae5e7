import { expect } from 'chai';
import fc from 'fast-check';
import { chanceOf } from '../src/fisher.ts';

/** Computes the same probability by counting all selections with at least as many hits. */
function counted(one: { hits: number; of: number }, other: { hits: number; of: number }): number {
  const choose = (n: number, k: number): number =>
    k < 0 || k > n ? 0 : Array.from({ length: k }).reduce((product: number, _, i) => (product * (n - i)) / (i + 1), 1);
  const hits = one.hits + other.hits;
  const all = one.of + other.of;
  let ways = 0;
  for (let k = one.hits; k <= hits; k++) ways += choose(hits, k) * choose(all - hits, one.of - k);
  return ways / choose(all, one.of);
}

const share = fc.tuple(fc.nat(20), fc.nat(20)).map(([hits, rest]) => ({ hits, of: hits + rest }));

describe("Fisher's exact test", () => {
  it("Fisher's exact test agrees with counting all possible selections", () => {
    fc.assert(fc.property(share, share, (one, other) => Math.abs(chanceOf(one, other) - counted(one, other)) < 1e-9));
  });

  it("Fisher's exact test supports large numbers of requests", () => {
    expect(chanceOf({ hits: 15, of: 300 }, { hits: 0, of: 600 })).to.be.closeTo(4.6e-8, 2e-8);
    expect(chanceOf({ hits: 5000, of: 1e6 }, { hits: 5000, of: 1e6 })).to.be.closeTo(0.5, 0.01);
    expect(chanceOf({ hits: 5500, of: 1e6 }, { hits: 5000, of: 1e6 })).to.be.lessThan(1e-6);
  });
});
