/** Gracefully stops the traffic of a thread. */
import { setTimeout as sleep } from 'node:timers/promises';
import { httpApp, listenersToken, listenSocketsToken, quicListenersToken } from '@sluice/http-app';
import { isObject, within, withoutKey, type Json } from '@sluice/base';
import type { Runtime } from '@sluice/reconciler';

/** Polling interval for requests in flight, in milliseconds. */
const interval = 10;

/** Maximum time for an aborted request to end after the grace period, in milliseconds. */
const afterGrace = 500;

/** Time between the notification of tunnels that they will be closed and the end of the grace period, in milliseconds. */
const closeTime = 1500;

/** Time limit in milliseconds for handlers to end once no client is connected. The same limit applies to disposing of the apps. */
const withoutClients = 2000;

const never = Number.POSITIVE_INFINITY;

/** Returns the maximum duration of {@link stopTraffic} in milliseconds. Infinity if connected clients may stay indefinitely. */
export function maxStopTime(runtime: Runtime): number {
  const app = runtime.app(httpApp);
  if (app === null) return withoutClients;
  return app.graceMs === 0 ? never : app.shutdownDelayMs + app.graceMs + afterGrace + withoutClients;
}

/** Switches to a configuration with fewer apps, after the servers' shutdown delay. */
async function drop(runtime: Runtime, config: Json): Promise<void> {
  const candidate = await runtime.prepare(config);
  await runtime.leave(candidate);
  runtime.commit(candidate);
}

/**
 * Stops the apps, but keeps services such as the admin endpoint. Resolves when the requests in flight have completed, or after the `http`
 * app's grace period. A handler may ignore a client disconnect.
 *
 * If there is no grace period, the wait for clients and handlers is unlimited.
 */
export async function stopTraffic(runtime: Runtime): Promise<void> {
  const { config } = runtime;
  const graceMs = runtime.app(httpApp)?.graceMs ?? 0;
  // During an upgrade, keep tunnels open, and send a WebSocket Close frame before the grace period ends.
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
