import { expect } from 'chai';
import { formatPlan, formatStage, holdOf, isAtLeast, parsePlan, sizeOf, stepsPlan } from '@sluice/rollout';

describe('rollout plans', () => {
  it('parsePlan parses the plan syntax of clients', () => {
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
    ['50%,10%,all', 'each stage must be larger'],
    ['canary:1,all;hold=1ms', 'hold must be 1s to 24h'],
    ['canary:1,all;hold=soon', 'hold: '],
    ['canary:1,all;pace=1', 'unknown setting "pace"'],
  ] as const)
    it(`parsePlan rejects ${JSON.stringify(text)} and shows the format`, () => {
      expect(() => parsePlan(text))
        .to.throw(reason)
        .with.property('message')
        .that.includes('the format is 1%,10%,50%,all;hold=30s');
    });
});

describe('rollout plans of a single server', () => {
  it('parsePlan parses expected differences', () => {
    const plan = parsePlan('1%,all;expect=4xx, latency');
    expect(plan.expected).to.deep.equal(['4xx', 'latency']);
    expect(formatPlan(plan)).to.equal('1%,all;hold=30s;expect=4xx,latency');
    expect(() => parsePlan('1%,all;expect=2xx')).to.throw('expect must list 3xx, 4xx, 5xx, latency');
  });

  it('parsePlan parses the hold times of stages and the key that splits traffic', () => {
    const plan = parsePlan('1%,10%,all;hold=10s,2m;by=cookie:session');
    expect(plan).to.deep.equal({
      stages: [{ percent: 1 }, { percent: 10 }],
      hold: 120_000,
      holds: [10_000],
      key: { of: 'cookie', name: 'session' },
    });
    expect([0, 1, 2].map((stage) => holdOf(plan, stage))).to.deep.equal([10_000, 120_000, 120_000]);
    expect(parsePlan(formatPlan(plan))).to.deep.equal(plan);
    expect(parsePlan('1%,all;by=address').key).to.deep.equal({ of: 'address' });
  });

  for (const text of ['1%,all;by=weather', '1%,all;by=cookie', '1%,all;by=header:a b'])
    it(`parsePlan rejects ${text}`, () => {
      expect(() => parsePlan(text)).to.throw('by must be connection, address, cookie:NAME or header:NAME');
    });

  it('stepsPlan rejects a plan that sets a number of fleet members', () => {
    expect(() => stepsPlan('canary:1,all'))
      .to.throw('canary:1,all: canary:N sets a number of fleet members')
      .with.property('status', 400);
  });

  for (const [plan, required, expected] of [
    ['1%,10%,50%,all;hold=60s', '10%,50%,all;hold=60s', true],
    ['5%,50%,all;hold=60s', '10%,50%,all;hold=60s', true],
    ['50%,all;hold=60s', '10%,50%,all;hold=60s', false],
    ['10%,50%,all;hold=30s', '10%,50%,all;hold=60s', false],
    ['10%,50%,all;hold=30s,60s', '50%,all;hold=60s', true],
    ['1%,2%,all;hold=60s', '1%,1%,all;hold=60s', null],
    ['canary:1,all', '50%,all', false],
    ['canary:1,all', 'canary:2,all', true],
  ] as const)
    it(`isAtLeast compares the plan ${plan} with ${required}`, () => {
      if (expected === null) expect(() => parsePlan(required)).to.throw('each stage must be larger');
      else expect(isAtLeast(parsePlan(plan), parsePlan(required))).to.equal(expected);
    });
});

describe('rollout plans with steps within the first member', () => {
  const text = 'canary:1,50%,all;hold=10s,1m;first=1%,10%;by=cookie:session';

  it('rollout steps within the first member come before the stages of the fleet, and use the first hold times of the plan', () => {
    const plan = parsePlan('canary:1,50%,all;first=1%,10%;hold=10s,1m;by=cookie:session');
    expect(plan.stages.map(formatStage)).to.deep.equal(['first:1%', 'first:10%', 'canary:1', '50%']);
    expect([holdOf(plan, 0), holdOf(plan, 1), holdOf(plan, 3)]).to.deep.equal([10_000, 60_000, 60_000]);
    expect(plan.stages.map((stage) => sizeOf(stage, 4))).to.deep.equal([1, 1, 1, 2]);
    expect(parsePlan(formatPlan(plan))).to.deep.equal(plan);
    expect(parsePlan(text)).to.deep.equal(plan);
  });

  for (const [plan, problem] of [
    ['canary:1,all;first=', 'invalid stage'],
    ['canary:1,all;first=canary:1', 'first must consist of percentages'],
    ['canary:1,all;first=10%,10%', 'each stage must be larger'],
  ] as const)
    it(`parsePlan rejects ${plan}`, () => {
      expect(() => parsePlan(plan)).to.throw(problem);
    });

  it('stepsPlan rejects steps within the first member, because a single server is not in a fleet', () => {
    expect(() => stepsPlan('1%,all;first=1%')).to.throw('this server is not in a fleet');
  });

  it('a policy can require steps within the first member of a fleet', () => {
    const required = parsePlan('canary:1,all;first=10%;hold=10s');
    expect(isAtLeast(parsePlan('canary:1,all;first=1%,10%;hold=10s'), required)).to.equal(true);
    expect(isAtLeast(parsePlan('canary:1,all;first=20%;hold=10s'), required)).to.equal(false);
    expect(isAtLeast(parsePlan('canary:1,all;hold=10s'), required)).to.equal(false);
  });
});
