/** Test server with a cache in front of an origin that the test controls. */
import { silentLogger, type Json, type JsonObject } from '@sluice/base';
import { httpHandlers, type Exchange } from '@sluice/http-app';
import { defineModule, options, type Registry, type Token } from '@sluice/registry';
import { serve, withRoutes, type TestServer } from '@sluice/testing';
import { ControlBus, SharedMemory, sharedMemoryToken } from '@sluice/threads';
import { register as matchers } from '@sluice/http.matchers';
import { register } from '@sluice/http.handlers';

export type Respond = (exchange: Exchange, count: number) => void | Promise<void>;

export interface Origin {
  /** Number of requests that the origin has received. */
  count: number;
  respond: Respond;
}

/** Returns a configuration with a cache that has the given options. */
export function cached(cache: JsonObject = {}): Json {
  return withRoutes([{ handle: [{ handler: 'cache', ...cache }, { handler: 'origin' }] }]);
}

export async function serveCached(
  config: Json,
  respond: Respond,
  memory: SharedMemory = new SharedMemory(new ControlBus(silentLogger)),
): Promise<{ readonly server: TestServer; readonly origin: Origin }> {
  const origin: Origin = { count: 0, respond };
  const module = defineModule(httpHandlers, {
    name: 'origin',
    effect: 'consumes',
    help: 'Responds as the test says.',
    config: options({}),
    provision: () => ({ handle: (exchange: Exchange) => origin.respond(exchange, ++origin.count) }),
  });
  const add = (registry: Registry): void => {
    registry.add(module);
  };
  const services = new Map<Token<unknown>, unknown>([[sharedMemoryToken, memory]]);
  const server = await serve(config, { register: [register, matchers, add], services });
  return { server, origin };
}

export async function withCache(
  cache: JsonObject,
  respond: Respond,
  test: (server: TestServer, origin: Origin) => Promise<void>,
): Promise<void> {
  const { server, origin } = await serveCached(cached(cache), respond);
  try {
    await test(server, origin);
  } finally {
    await server.close();
  }
}

export function send(
  { response }: Exchange,
  fields: Readonly<Record<string, string>>,
  body: string | Buffer = '',
  status = 200,
): void {
  for (const [name, value] of Object.entries(fields)) response.headers.set(name, value);
  response.writeHead(status);
  response.end(body);
}

/** Returns a promise and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
