/** A server on a real port with listener wrappers, and clients that send raw bytes. */
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { httpApp } from '@sluice/http-app';
import { register as registerHandlers } from '@sluice/http.handlers';
import type { Json } from '@sluice/base';
import { serve, withRoutes, type TestServer } from '@sluice/testing';
import { register } from '../src/index.ts';

const who =
  '{http.request.remote.host}:{http.request.remote.port} {http.vars.client_ip} {http.request.local.host}:{http.request.local.port}';

/** Starts a server that responds with the remote address, the client IP and the local address. */
export function serveWith(listener_wrappers: Json, server: Readonly<Record<string, Json>> = {}): Promise<TestServer> {
  return serve(documentWith(listener_wrappers, server), { register: [register, registerHandlers] });
}

/** Returns the configuration document that {@link serveWith} uses. */
export function documentWith(listener_wrappers: Json, server: Readonly<Record<string, Json>> = {}): Json {
  const routes = [{ handle: [{ handler: 'static_response', body: who }] }];
  return withRoutes(routes, { listen: ['127.0.0.1:0'], listener_wrappers, ...server });
}

/** Returns the port of the only configured server. */
export function portOf(server: TestServer): number {
  const listener = server.runtime.app(httpApp)?.servers.get('s')?.listeners[0];
  const address = listener?.address as AddressInfo | undefined;
  return address?.port ?? 0;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends pieces of data. A number is a pause in milliseconds. Returns the output until the server closes the connection. */
export async function talk(to: number | string, ...pieces: readonly (string | Buffer | number)[]): Promise<string> {
  const socket = typeof to === 'number' ? connect(to, '127.0.0.1') : connect(to);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  for (const piece of pieces) {
    if (typeof piece === 'number') await sleep(piece);
    else if (!socket.destroyed) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  }
  await closed;
  return received;
}

/** A request that closes the connection after its response. */
export const get = 'GET /x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';

/** Returns the body of a response, or the whole text if the response has no body. */
export function bodyOf(response: string): string {
  const at = response.indexOf('\r\n\r\n');
  return at < 0 ? response : response.slice(at + 4);
}
