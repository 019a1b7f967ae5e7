import { expect } from 'chai';
import { Pace, paceRule } from '@sluice/http-app';

const never = Number.POSITIVE_INFINITY;

describe('Pace', () => {
  it('Pace restarts its timeout with each byte received', () => {
    const pace = new Pace(paceRule(100));
    expect(pace.deadline).to.equal(never);
    pace.wait(1000);
    expect(pace.deadline).to.equal(1100);
    pace.moved(1050, 1);
    expect(pace.deadline).to.equal(1150);
  });

  it('Pace extends its deadline per byte if a minimum rate is required', () => {
    const pace = new Pace(paceRule(100, 1000));
    pace.wait(1000);
    pace.moved(1090, 50);
    expect(pace.deadline).to.equal(1150);
    pace.moved(1140, 10);
    expect(pace.deadline).to.equal(1160);
  });

  it('Pace counts only the time spent waiting for the peer', () => {
    const pace = new Pace(paceRule(100, 1000));
    pace.wait(1000);
    pace.moved(1040, 10);
    pace.rest(1040);
    expect(pace.deadline).to.equal(never);
    pace.wait(9000);
    expect(pace.deadline).to.equal(9070);
  });

  it('Pace adds time for each of several parts that are sent together', () => {
    const pace = new Pace(paceRule(100, 0, 10));
    pace.waitForRoom(1000, 0, 25);
    expect(pace.deadline).to.equal(1300);
    const rated = new Pace(paceRule(100, 1000, 10));
    rated.waitForRoom(1000, 30, 25);
    expect(rated.deadline).to.equal(1145);
  });

  it('Pace can switch to a different timeout rule', () => {
    const pace = new Pace(paceRule(100));
    pace.wait(1000);
    pace.follow(paceRule(500));
    expect(pace.deadline).to.equal(1500);
    pace.follow(paceRule(0));
    expect(pace.deadline).to.equal(never);
    pace.wait(2000);
    expect(pace.deadline).to.equal(never);
  });
});
