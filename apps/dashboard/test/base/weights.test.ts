import { expect } from 'chai';
import type { Json } from '../../src/page/base/json.ts';
import { weightOf, withWeight } from '../../src/page/base/weights.ts';

const proxy = (policy: Json): Json => ({
  upstreams: [{ dial: 'a:1' }, { dial: 'b:1' }, { dial: 'c:1' }],
  load_balancing: { selection_policy: policy },
});

describe('dashboard.base.weights', () => {
  const weighted = proxy({ policy: 'weighted_round_robin', weights: [3, 1] });

  it('weightOf returns policy weights in upstream order, or 0 if a weight is missing', () => {
    expect(['a:1', 'b:1', 'c:1'].map((each) => weightOf(weighted, each))).to.deep.equal([3, 1, 0]);
  });

  it('weightOf returns null for other policies and for dynamic upstreams', () => {
    expect(weightOf(proxy({ policy: 'random' }), 'a:1')).to.equal(null);
    expect(weightOf({ upstreams: [{ dial: 'a:1' }] }, 'a:1')).to.equal(null);
    expect(weightOf(weighted, 'd:1')).to.equal(null);
  });

  it('withWeight changes one weight, and sets preceding missing weights to 0', () => {
    expect(withWeight(weighted, 'a:1', 9)).to.deep.equal([9, 1]);
    expect(withWeight(proxy({ policy: 'weighted_round_robin', weights: [] }), 'c:1', 2)).to.deep.equal([0, 0, 2]);
  });
});
