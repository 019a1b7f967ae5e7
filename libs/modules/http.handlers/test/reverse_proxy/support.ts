import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { httpApp } from '@sluice/http-app';
import { register as registerEncoders } from '@sluice/http.encoders';
import { register as registerMatchers } from '@sluice/http.matchers';
import { register as registerProxy } from '@sluice/http.reverse_proxy';
import type { JsonObject } from '@sluice/base';
import { serve, withRoutes, type ServeOptions, type TestServer } from '@sluice/testing';
import { register } from '@sluice/http.handlers';

export const packages: ServeOptions = { register: [register, registerProxy, registerMatchers, registerEncoders] };

/** A resource that a test must close at its end. */
export interface Closing {
  close(): Promise<void> | void;
}

/** The open resources of a test. `close` closes them all in reverse order. */
export class Opened {
  readonly #opened: Closing[] = [];

  add<T extends Closing>(opened: T): T {
    this.#opened.push(opened);
    return opened;
  }

  async close(): Promise<void> {
    for (const each of this.#opened.splice(0).reverse()) await each.close();
  }
}

/** An upstream that exchanges raw bytes. */
export interface RawUpstream extends Closing {
  readonly port: number;
  readonly dial: string;
  readonly received: string[];
  readonly sockets: Socket[];
}

/** Starts an upstream. Whenever data arrives, it calls the callback with all data received on the connection so far. */
export async function rawUpstream(
  onData: (text: string, socket: Socket, connection: number) => void,
): Promise<RawUpstream> {
  const received: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const connection = received.push('') - 1;
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received[connection] += chunk.toString('latin1');
      onData(received[connection] as string, socket, connection);
    });
    socket.on('end', () => socket.end());
  });
  const port = await listening(server);
  return {
    port,
    dial: `127.0.0.1:${port}`,
    received,
    sockets,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return closed(server);
    },
  };
}

/** Starts an upstream that responds to each request with the given bytes. Optionally, it closes or resets the connection afterwards. */
export function responding(bytes: string | Buffer, then: 'keep' | 'end' | 'reset' = 'keep'): Promise<RawUpstream> {
  const seen = new Map<number, number>();
  return rawUpstream((text, socket, connection) => {
    const heads = text.split('\r\n\r\n').length - 1;
    if (heads <= (seen.get(connection) ?? 0)) return;
    seen.set(connection, heads);
    if (then === 'end') socket.end(bytes, 'latin1');
    else socket.write(bytes, 'latin1', () => then === 'reset' && socket.resetAndDestroy());
  });
}

/** Starts an upstream based on node:http. */
export async function httpUpstream(
  listener: RequestListener,
): Promise<{ readonly server: HttpServer; readonly dial: string } & Closing> {
  const server = createHttpServer(listener);
  const port = await listening(server);
  return {
    server,
    dial: `127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return closed(server);
    },
  };
}

/** Starts an upstream that responds with the request it received. */
export function echoUpstream(tag = 'echo'): ReturnType<typeof httpUpstream> {
  return httpUpstream((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers, rawHeaders } = request;
      response.setHeader('Content-Type', 'application/json');
      response.setHeader('X-Upstream', tag);
      response.end(
        JSON.stringify({ tag, method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString('latin1') }),
      );
    });
  });
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** Returns an address where nothing listens. */
export async function deadAddress(): Promise<string> {
  const server = createServer();
  const port = await listening(server);
  await closed(server);
  return `127.0.0.1:${port}`;
}

/** Returns a `reverse_proxy` handler for the given upstreams. */
export function proxyTo(dials: readonly string[] | string, options: JsonObject = {}): JsonObject {
  const list = typeof dials === 'string' ? [dials] : dials;
  return { handler: 'reverse_proxy', upstreams: list.map((dial) => ({ dial })), ...options };
}

/** Starts a server with the given handlers and without listening sockets. */
export async function serving(handlers: readonly JsonObject[], server: JsonObject = {}): Promise<TestServer> {
  return serve(withRoutes([{ handle: handlers }], server), packages);
}

export async function listeningServer(
  handlers: readonly JsonObject[],
  server: JsonObject = {},
): Promise<TestServer & { readonly port: number }> {
  const made = await serving(handlers, { listen: ['127.0.0.1:0'], ...server });
  const address = made.runtime.app(httpApp)?.servers.get('s')?.listeners[0]?.address as AddressInfo;
  return { ...made, port: address.port };
}

/** Sends bytes to a port. Returns all received data when the connection closes or has been idle for `quiet` milliseconds. */
export async function conversation(port: number, bytes: string, quiet = 300): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let changed = performance.now();
  let over = false;
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    changed = performance.now();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => (over = true));
  socket.write(bytes, 'latin1');
  while (!over && performance.now() - changed < quiet) await sleep(5);
  socket.destroy();
  return text;
}

/** Waits until a condition is true. */
export async function until(condition: () => boolean, what = 'the condition'): Promise<void> {
  const end = performance.now() + 25_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`${what} does not come true`);
    await sleep(5);
  }
}
