/** Thread that runs tests of a proposed configuration. It has no runtime role, so nothing is bound, opened or started. Upstreams are mocked. */
import { parentPort } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { guarded, SluiceError, taskOf } from '@sluice/base';
import { Registry } from '@sluice/registry';
import { registerModules } from '../modules/register-modules.ts';
import { registerStandard } from '../register-standard.ts';
import { runTask } from '../test-cases/run-task.ts';
import { testBounds } from '../test-cases/test-task.ts';
import { replyOf } from './task-reply.ts';
import type { TestMessage } from './test-message.ts';

/** Rejects after the time limit. Thread startup doesn't count toward the limit, because it can take a long time on a busy machine. */
function tooLate(): Promise<never> {
  const { milliseconds } = testBounds;
  const problem = `tests: not complete after ${milliseconds / 1000} s`;
  return sleep(milliseconds).then(() => {
    throw new SluiceError('ERR_TESTS', problem, { status: 504 });
  });
}

parentPort?.on(
  'message',
  guarded(taskOf('tests'), ({ task, modules }: TestMessage) => {
    const newRegistry = async (): Promise<Registry> => {
      const registry = new Registry();
      registerStandard(registry);
      await registerModules(registry, modules);
      return registry;
    };
    void replyOf('ERR_TESTS', () => Promise.race([runTask(task, newRegistry), tooLate()])).then((sent) =>
      parentPort?.postMessage(sent, []),
    );
  }),
);
