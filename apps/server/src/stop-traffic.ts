/** The graceful end of a thread's traffic. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, withoutKey, type Json, type Runtime } from '@sluice/registry';

/** How often to look whether the last request is done, in milliseconds. */
const interval = 10;

/** Swaps to a smaller configuration, after the delay that its servers ask for. */
async function drop(runtime: Runtime, config: Json): Promise<void> {
  const candidate = await runtime.prepare(config);
  await runtime.leave(candidate);
  runtime.commit(candidate);
}

/**
 * Drops the apps and keeps the rest, such as the admin endpoint; resolves when the requests in flight are done. How long
 * these may take is for the apps to say (`grace_period`).
 */
export async function stopTraffic(runtime: Runtime): Promise<void> {
  const { config } = runtime;
  if (isObject(config) && Object.hasOwn(config, 'apps')) await drop(runtime, withoutKey(config, 'apps'));
  while (runtime.retiring > 0) await sleep(interval);
  await runtime.settled();
}
