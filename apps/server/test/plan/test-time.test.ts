import { expect } from 'chai';
import { withRoutes } from '@sluice/testing';
import { Registry } from '@sluice/registry';
import { registerStandard } from '../../src/register-standard.ts';
import { runTaskInTime } from '../../src/test-cases/run-task.ts';

describe('time limit of tests', function () {
  this.timeout(60_000);

  const run = (delay: string, milliseconds: number): Promise<unknown> =>
    runTaskInTime(
      {
        document: withRoutes([{ handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: '127.0.0.1:1' }] }] }]),
        required: [],
        cases: {
          upstreams: { '*': { delay } },
          cases: [{ request: { url: 'http://shop.test/', server: 's' }, expect: { status: 200 } }],
        },
        confined: false,
      },
      () => {
        const registry = new Registry();
        registerStandard(registry);
        return Promise.resolve(registry);
      },
      milliseconds,
    );

  it('tests that take longer than the limit fail with a timeout', async () => {
    const late = await run('500ms', 10).catch((error: unknown) => error);
    expect(late).to.include({ code: 'ERR_TESTS', status: 504, message: 'tests: not complete after 0.01 s' });
  });

  it('tests that end within the limit return their report', async () => {
    expect(await run('1ms', 2000)).to.include({ cases: 1, passed: 1, error: null });
  });
});
