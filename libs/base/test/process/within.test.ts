import { expect } from 'chai';
import { within } from '@sluice/base';

describe('within', () => {
  it('within() reports whether a task completed in time', async () => {
    expect(await within(Promise.resolve(), 1000)).to.equal(true);
    expect(await within(new Promise(() => undefined), 5)).to.equal(false);
    expect(await within(Promise.resolve(), Number.POSITIVE_INFINITY)).to.equal(true);
  });

  it('within() supports delays longer than the maximum timer delay', async () => {
    const task = new Promise((resolve) => setTimeout(resolve, 20));
    expect(await within(task, 2 ** 40)).to.equal(true);
  });

  it('within() rejects if the task rejects', async () => {
    const error = await within(Promise.reject(new Error('no')), 1000).catch((reason: unknown) => reason);
    expect((error as Error).message).to.equal('no');
  });
});
