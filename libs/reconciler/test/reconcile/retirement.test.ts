import { expect } from 'chai';
import { Component } from '../../src/reconcile/component.ts';
import { EpochTracker } from '../../src/reconcile/epochs.ts';
import { Retirement } from '../../src/reconcile/retirement.ts';

function component(dispose: () => void | Promise<void>): Component {
  const made = new Component({ key: 'a', kind: {}, node: null, since: 0, moduleId: null, owner: null });
  made.acquired(dispose);
  return made;
}

describe('Retirement', () => {
  it('Retirement continues after a disposer that never completes or that rejects', async () => {
    const errors: unknown[] = [];
    const retirement = new Retirement(new EpochTracker(), (error) => errors.push(error), 20);
    const disposed: string[] = [];
    const components = [
      component(() => void disposed.push('last')),
      component(() => Promise.reject(new Error('rejected'))),
      component(() => new Promise(() => undefined)),
    ];
    retirement.add(components, 1);
    await retirement.settled();
    expect(disposed).to.deep.equal(['last']);
    expect(errors.map((error) => (error as Error).message)).to.deep.equal([
      'disposal timed out after 20 ms; continuing without waiting for it',
      'rejected',
    ]);
  });
});
