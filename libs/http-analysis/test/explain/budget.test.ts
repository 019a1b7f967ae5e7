import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Budget } from '../../src/explain/budget.ts';

function work(): void {
  for (let i = 0, sum = 0; i < 100_000; i++) sum += Math.sqrt(i + sum);
}

describe('Budget', () => {
  it('Budget counts the CPU time of its thread, and excludes the time spent waiting for the CPU', async () => {
    const budget = new Budget(20, 60_000);
    await sleep(60);
    expect(budget.step()).to.equal(true);
    const before = process.threadCpuUsage();
    while (budget.step()) work();
    const { user, system } = process.threadCpuUsage(before);
    expect(budget.exceeded).to.equal('time');
    expect(user + system).to.be.at.least(5000);
  });

  it('Budget is exceeded after a long wait', async () => {
    const budget = new Budget(60_000, 20);
    expect(budget.left).to.be.at.most(20);
    await sleep(40);
    expect(budget.step()).to.equal(false);
    expect(budget.exceeded).to.equal('time');
  });

  it('Budget is exceeded after a thousand steps', () => {
    const budget = new Budget(60_000, 60_000);
    for (let i = 0; i < 1000; i++) expect(budget.step()).to.equal(true);
    expect(budget.step()).to.equal(false);
    expect(budget.exceeded).to.equal('steps');
  });
});
