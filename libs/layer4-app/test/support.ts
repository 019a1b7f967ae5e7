import type { Json, JsonObject } from '@sluice/base';
import { register as registerListeners } from '@sluice/caddy.listeners';
import { register as registerHttpHandlers } from '@sluice/http.handlers';
import { register as registerHandlers } from '@sluice/layer4.handlers';
import { register as registerMatchers } from '@sluice/layer4.matchers';
import { register as registerPolicies } from '@sluice/layer4.proxy';
import { serve, type TestServer } from '@sluice/testing';
import { register } from '../src/index.ts';

/** Module packages that these tests need. */
const packages = [
  register,
  registerHandlers,
  registerMatchers,
  registerPolicies,
  registerListeners,
  registerHttpHandlers,
];

export function serveAll(config: Json): Promise<TestServer> {
  return serve(config, { register: packages });
}

/** Returns a configuration document with one server. */
export function layer4(port: number, routes: Json, server: JsonObject = {}): Json {
  return { apps: { layer4: { servers: { s: { listen: [`127.0.0.1:${port}`], routes, ...server } } } } };
}

/** Returns a handler that proxies to local ports. */
export function proxyTo(...ports: readonly number[]): JsonObject {
  return { handler: 'proxy', upstreams: ports.map((port) => ({ dial: [`127.0.0.1:${port}`] })) };
}
