/** The graceful end of a thread's traffic. */
import { setTimeout as sleep } from 'node:timers/promises';
import { httpApp } from '@sluice/http-app';
import { isObject, withoutKey, type Json, type Runtime } from '@sluice/registry';

/** How often to look whether the last request is done, in milliseconds. */
const interval = 10;

/** How long after the grace period a request may take to end that was cut, in milliseconds. */
const afterGrace = 500;

/** Swaps to a smaller configuration, after the delay that its servers ask for. */
async function drop(runtime: Runtime, config: Json): Promise<void> {
  const candidate = await runtime.prepare(config);
  await runtime.leave(candidate);
  runtime.commit(candidate);
}

/**
 * Drops the apps and keeps the rest, such as the admin endpoint; resolves when the requests in flight are done, or the
 * grace period of the app `http` is over: a handler may not care that its client was cut off.
 */
export async function stopTraffic(runtime: Runtime): Promise<void> {
  const { config } = runtime;
  const graceMs = runtime.app(httpApp)?.graceMs ?? 0;
  if (isObject(config) && Object.hasOwn(config, 'apps')) await drop(runtime, withoutKey(config, 'apps'));
  const end = graceMs === 0 ? Number.POSITIVE_INFINITY : performance.now() + graceMs + afterGrace;
  while (runtime.retiring > 0 && performance.now() < end) await sleep(interval);
  await runtime.settled();
}
