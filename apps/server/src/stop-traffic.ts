/** The graceful end of a thread's traffic. */
import { setTimeout as sleep } from 'node:timers/promises';
import { httpApp, listenersToken, listenSocketsToken, quicListenersToken } from '@sluice/http-app';
import { isObject, within, withoutKey, type Json } from '@sluice/base';
import type { Runtime } from '@sluice/reconciler';

/** How often to look whether the last request is done, in milliseconds. */
const interval = 10;

/** How long after the grace period a request may take to end that was cut, in milliseconds. */
const afterGrace = 500;

/** How long before the end of the grace period tunnels are told to close, in milliseconds. */
const closeTime = 1500;

/** How long a handler may go on whose client has gone, and what disposes of the apps, in milliseconds. */
const withoutClients = 2000;

const never = Number.POSITIVE_INFINITY;

/** How long {@link stopTraffic} may take at most, in milliseconds: Infinity while clients that are there may wait for ever. */
export function longestStop(runtime: Runtime): number {
  const app = runtime.app(httpApp);
  if (app === null) return withoutClients;
  return app.graceMs === 0 ? never : app.shutdownDelayMs + app.graceMs + afterGrace + withoutClients;
}

/** Swaps to a smaller configuration, after the delay that its servers ask for. */
async function drop(runtime: Runtime, config: Json): Promise<void> {
  const candidate = await runtime.prepare(config);
  await runtime.leave(candidate);
  runtime.commit(candidate);
}

/**
 * Drops the apps and keeps the rest, such as the admin endpoint; resolves when the requests in flight are done and sent, or
 * the grace period of the app `http` is over: a handler may not care that its client was cut off. Without a grace period
 * clients may take as long as they want, and handlers as long as they have clients.
 */
export async function stopTraffic(runtime: Runtime): Promise<void> {
  const { config } = runtime;
  const graceMs = runtime.app(httpApp)?.graceMs ?? 0;
  // A newer process serves: tunnels stay, and are told to close before the grace period cuts them.
  const sockets = runtime.service(listenSocketsToken);
  if (sockets?.handedOver) sockets.streamTime = graceMs === 0 ? never : Math.max(0, graceMs - closeTime);
  const pools = [...(runtime.service(listenersToken) ?? []), ...(runtime.service(quicListenersToken) ?? [])];
  const listeners = pools.map(([, listener]) => listener);
  if (isObject(config) && Object.hasOwn(config, 'apps')) await drop(runtime, withoutKey(config, 'apps'));
  const end = graceMs === 0 ? never : performance.now() + graceMs + afterGrace;
  let alone = never;
  for (;;) {
    const now = performance.now();
    const hasClients = listeners.some(({ connections }) => connections > 0);
    if (!hasClients && alone === never) alone = now + withoutClients;
    else if (hasClients) alone = never;
    if ((runtime.retiring === 0 && !hasClients) || now >= end || now >= alone) break;
    await sleep(interval);
  }
  await within(runtime.settled(), withoutClients);
}
