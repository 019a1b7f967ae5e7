import { expect } from 'chai';
import { Pace, paceRule } from '@sluice/http-app';

const never = Number.POSITIVE_INFINITY;

describe('pace', () => {
  it('begins again with each byte', () => {
    const pace = new Pace(paceRule(100));
    expect(pace.deadline).to.equal(never);
    pace.wait(1000);
    expect(pace.deadline).to.equal(1100);
    pace.moved(1050, 1);
    expect(pace.deadline).to.equal(1150);
  });

  it('lets bytes buy time where a rate is wanted', () => {
    const pace = new Pace(paceRule(100, 1000));
    pace.wait(1000);
    pace.moved(1090, 50);
    expect(pace.deadline).to.equal(1150);
    pace.moved(1140, 10);
    expect(pace.deadline).to.equal(1160);
  });

  it('does not count what is not waiting for the other side', () => {
    const pace = new Pace(paceRule(100, 1000));
    pace.wait(1000);
    pace.moved(1040, 10);
    pace.rest(1040);
    expect(pace.deadline).to.equal(never);
    pace.wait(9000);
    expect(pace.deadline).to.equal(9070);
  });

  it('gives time for each part of what is to be sent at once', () => {
    const pace = new Pace(paceRule(100, 0, 10));
    pace.waitForRoom(1000, 0, 25);
    expect(pace.deadline).to.equal(1300);
    const rated = new Pace(paceRule(100, 1000, 10));
    rated.waitForRoom(1000, 30, 25);
    expect(rated.deadline).to.equal(1145);
  });

  it('goes on waiting by another rule', () => {
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
