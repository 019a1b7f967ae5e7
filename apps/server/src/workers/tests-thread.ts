/** Thread that runs tests of a proposed configuration. It has no runtime role, so nothing is bound, opened or started. Upstreams are mocked. */
import { parentPort } from 'node:worker_threads';
import { guarded, taskOf } from '@sluice/base';
import { Registry } from '@sluice/registry';
import { registerModules } from '../modules/register-modules.ts';
import { registerStandard } from '../register-standard.ts';
import { runTaskInTime } from '../test-cases/run-task.ts';
import { replyOf } from './task-reply.ts';
import type { TestMessage } from './test-message.ts';

parentPort?.on(
  'message',
  guarded(taskOf('tests'), ({ task, modules }: TestMessage) => {
    const newRegistry = async (): Promise<Registry> => {
      const registry = new Registry();
      registerStandard(registry);
      await registerModules(registry, modules);
      return registry;
    };
    void replyOf('ERR_TESTS', () => runTaskInTime(task, newRegistry)).then((sent) => parentPort?.postMessage(sent, []));
  }),
);
