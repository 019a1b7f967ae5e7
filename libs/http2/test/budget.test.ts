import { expect } from 'chai';
import { PeerBudgets } from '../src/budget.ts';

const { now } = performance;

describe('HTTP/2 client budgets', () => {
  let time = 0;
  beforeEach(() => {
    time = 5000;
    performance.now = () => time;
  });
  afterEach(() => {
    performance.now = now;
  });

  for (const [kind, burst, perSecond] of [
    ['resets', 1000, 33],
    ['violations', 100, 10],
    ['idles', 10_000, 100],
  ] as const) {
    const used = (): PeerBudgets['resets'] => {
      const budget = new PeerBudgets()[kind];
      for (let i = 0; i < burst; i++) expect(budget.take()).to.equal(true);
      return budget;
    };

    it(`PeerBudgets.${kind} allows a burst of ${burst}`, () => {
      expect(used().take()).to.equal(false);
    });

    it(`PeerBudgets.${kind} allows ${perSecond} additional events per second`, () => {
      const budget = used();
      time += 2000;
      for (let i = 0; i < 2 * perSecond; i++) expect(budget.take(), `${i}`).to.equal(true);
      expect(budget.take()).to.equal(false);
      time += 1000 / perSecond + 0.001;
      expect([budget.take(), budget.take()], 'one more').to.deep.equal([true, false]);
      time += 500;
      for (let i = 0; i < Math.floor(perSecond / 2); i++) expect(budget.take(), `${i} more`).to.equal(true);
      expect(budget.take()).to.equal(false);
    });

    it(`PeerBudgets.${kind} allows no more than ${burst} events, even after a long idle time`, () => {
      const budget = used();
      time += 1e9;
      for (let i = 0; i < burst; i++) expect(budget.take()).to.equal(true);
      expect(budget.take()).to.equal(false);
    });

    it(`PeerBudgets.${kind} is replenished by useful work, up to the initial budget`, () => {
      const budget = used();
      budget.earn(2);
      expect([budget.take(), budget.take(), budget.take()]).to.deep.equal([true, true, false]);
      budget.earn(burst + 5);
      for (let i = 1; i < burst; i++) budget.take();
      expect([budget.take(), budget.take()]).to.deep.equal([true, false]);
    });
  }
});
