/**
 * Thread that adapts client configurations, one at a time. The thread is stateless, so it can be terminated at any
 * time.
 */
import { parentPort } from 'node:worker_threads';
import { confine, isSluiceError, messageOf } from '@sluice/base';
import { runAdapting } from '@sluice/reconciler';
import { Registry } from '@sluice/registry';
import { registerModules } from '../modules/register-modules.ts';
import { registerStandard } from '../register-standard.ts';
import type { AdaptingMessage, AdaptingReply } from './adapting-message.ts';

let registry: Promise<Registry> | null = null;

async function makeRegistry(modules: AdaptingMessage['modules']): Promise<Registry> {
  const made = new Registry();
  registerStandard(made);
  await registerModules(made, modules);
  return made;
}

async function reply({ task, modules }: AdaptingMessage): Promise<AdaptingReply> {
  try {
    const known = await (registry ??= makeRegistry(modules));
    const run = (): ReturnType<typeof runAdapting> => runAdapting(known, task);
    return { result: await (task.confined ? confine(run) : run()) };
  } catch (error) {
    const { code, status } = isSluiceError(error) ? error : { code: 'ERR_ADAPTER', status: 400 };
    return { error: { code, status, message: messageOf(error) } };
  }
}

parentPort?.postMessage('ready' satisfies AdaptingReply, []);
parentPort?.on('message', (message: AdaptingMessage) => {
  void reply(message).then((sent) => parentPort?.postMessage(sent, []));
});
