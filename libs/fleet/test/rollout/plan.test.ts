import { expect } from 'chai';
import { formatPlan, parsePlan, sizeOf } from '../../src/rollout/plan.ts';

describe('rollout plans', () => {
  it('parsePlan parses client syntax', () => {
    const plan = parsePlan('canary:1, 10%,50%,all;hold=30s');
    expect(plan).to.deep.equal({ stages: [{ members: 1 }, { percent: 10 }, { percent: 50 }], hold: 30_000 });
    expect(formatPlan(plan)).to.equal('canary:1,10%,50%,all;hold=30s');
    expect(parsePlan('canary:2,all').hold).to.equal(30_000);
  });

  it('sizeOf returns at least one member', () => {
    expect([3, 10, 25].map((members) => sizeOf({ percent: 10 }, members))).to.deep.equal([1, 1, 3]);
  });

  for (const [text, reason] of [
    ['', 'the last stage must be all'],
    ['canary:1,50%', 'the last stage must be all'],
    ['all', '1 to 20 stages before all'],
    ['canary:0,all', 'invalid stage "canary:0"'],
    ['0%,all', 'invalid stage "0%"'],
    ['100%,all', 'invalid stage "100%"'],
    ['50%,10%,all', 'each stage must have more members'],
    ['canary:1,all;hold=1ms', 'hold must be 1s to 24h'],
    ['canary:1,all;hold=soon', 'hold: '],
    ['canary:1,all;pace=1', 'unknown setting "pace=1"'],
  ] as const)
    it(`parsePlan rejects ${JSON.stringify(text)} and shows the format`, () => {
      expect(() => parsePlan(text))
        .to.throw(reason)
        .with.property('message')
        .that.includes('the format is canary:1,10%,50%,all;hold=30s');
    });
});
