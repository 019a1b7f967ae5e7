import { expect } from 'chai';
import { within } from '@sluice/base';

describe('within', () => {
  it('tells whether a task was done in time', async () => {
    expect(await within(Promise.resolve(), 1000)).to.equal(true);
    expect(await within(new Promise(() => undefined), 5)).to.equal(false);
    expect(await within(Promise.resolve(), Number.POSITIVE_INFINITY)).to.equal(true);
  });

  it('waits for times that are longer than timers', async () => {
    const task = new Promise((resolve) => setTimeout(resolve, 20));
    expect(await within(task, 2 ** 40)).to.equal(true);
  });

  it('rejects as the task does', async () => {
    const error = await within(Promise.reject(new Error('no')), 1000).catch((reason: unknown) => reason);
    expect((error as Error).message).to.equal('no');
  });
});
