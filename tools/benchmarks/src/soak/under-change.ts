/**
 * Soak test of configuration changes. Streams and requests use unchanged routes while other routes of the same server are added, changed
 * and deleted. No connection may be closed, no message may be lost, and no request may fail.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { withRoutes } from '../configs.ts';
import { adminCall } from '../admin-call.ts';
import { startNative } from '../servers.ts';
import { SteadyLoad, type LoadResult } from './steady-load.ts';
import { EventStreams, Tunnels, type StreamResult } from './streams.ts';
import { UpstreamProcess } from './upstream-process.ts';

export interface ChangePlan {
  readonly webSockets: number;
  readonly eventStreams: number;
  readonly requestsPerSecond: number;
  readonly changes: number;
  readonly seconds: number;
}

/** Parameters of the full-size test. */
export const fullChangePlan: ChangePlan = {
  webSockets: 1000,
  eventStreams: 100,
  requestsPerSecond: 2000,
  changes: 200,
  seconds: 60,
};

export interface ChangeSoak {
  readonly webSockets: StreamResult;
  readonly eventStreams: StreamResult;
  readonly requests: LoadResult;
  /** Number of changes with status 200. The next property is the duration of the longest change, in milliseconds. */
  readonly changes: number;
  readonly slowestChange: number;
}

export async function soakUnderChange(name: string, command: readonly string[], plan: ChangePlan): Promise<ChangeSoak> {
  const upstream = await new UpstreamProcess().start();
  const routes = [proxied('/a/*', upstream.port), proxied('/b/*', upstream.port)];
  const server = await startNative(name, command, withRoutes(routes));
  try {
    const tunnels = new Tunnels(plan.webSockets, server.port, '/a/ws');
    await tunnels.open();
    const events = new EventStreams(plan.eventStreams, server.port, '/a/events');
    await events.open();
    const load = new SteadyLoad({
      port: server.port,
      path: '/b/',
      connections: 50,
      rate: plan.requestsPerSecond,
      posts: true,
    });
    load.start();
    const changes = await change(server.admin, plan, upstream.port);
    const requests = await load.stop();
    return { eventStreams: events.stop(), webSockets: await tunnels.stop(), requests, ...changes };
  } finally {
    await server.stop();
    await upstream.kill();
  }
}

function proxied(path: string, port: number): unknown {
  return {
    match: [{ path: [path] }],
    handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: `127.0.0.1:${port}` }] }],
  };
}

/** Repeatedly adds, changes and deletes a route at even intervals. */
async function change(
  admin: number,
  { changes, seconds }: ChangePlan,
  upstream: number,
): Promise<{ changes: number; slowestChange: number }> {
  const routes = '/config/apps/http/servers/s/routes';
  let done = 0;
  let slowestChange = 0;
  for (let number = 0; number < changes; number++) {
    const kind = number % 3;
    const began = performance.now();
    const path = `/other-${number}/*`;
    const status =
      kind === 0
        ? await adminCall(admin, 'POST', routes, proxied(path, upstream))
        : kind === 1
          ? await adminCall(admin, 'PATCH', `${routes}/2/match/0/path`, [path])
          : await adminCall(admin, 'DELETE', `${routes}/2`, undefined);
    const took = performance.now() - began;
    slowestChange = Math.max(slowestChange, took);
    if (status === 200) done++;
    await sleep(Math.max(0, (seconds * 1000) / changes - took));
  }
  return { changes: done, slowestChange };
}
