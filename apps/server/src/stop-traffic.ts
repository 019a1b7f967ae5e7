/** The graceful end of a thread's traffic. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, withoutKey, type Runtime } from '@sluice/registry';

/** How often to look whether the last request is done, in milliseconds. */
const interval = 10;

/**
 * Drops the apps and keeps the rest, such as the admin endpoint; resolves when the requests in flight are done. How long
 * these may take is for the apps to say (`grace_period`).
 */
export async function stopTraffic(runtime: Runtime): Promise<void> {
  const { config } = runtime;
  if (isObject(config) && Object.hasOwn(config, 'apps'))
    runtime.commit(await runtime.prepare(withoutKey(config, 'apps')));
  while (runtime.retiring > 0) await sleep(interval);
  await runtime.settled();
}
