import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import { runShutdownSteps } from '../../src/process/shutdown-steps.ts';

describe('runShutdownSteps', () => {
  // Attack in docs/security.md: SIGTERM or a `/stop` request while clients keep streams open.
  it('shutdown steps run even if earlier steps fail', async () => {
    const taken: string[] = [];
    const step = (name: string, run: () => unknown) => ({
      name,
      timeout: 20,
      run: () => {
        taken.push(name);
        return run();
      },
    });
    const steps = [
      step('throws', () => {
        throw new Error('on purpose');
      }),
      step('rejects', () => Promise.reject(new Error('on purpose'))),
      step('hangs', () => new Promise(() => undefined)),
      step('ends', () => undefined),
    ];
    await runShutdownSteps(steps, silentLogger);
    expect(taken).to.deep.equal(['throws', 'rejects', 'hangs', 'ends']);
  });
});
