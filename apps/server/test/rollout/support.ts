/** Provides an upstream with endless responses, and clients, for tests of gradual rollouts. */
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Interval at which the upstream sends lines and frames, in milliseconds. */
const sendInterval = 200;
/** A WebSocket text frame (RFC 6455 §5.2) with the text `tick`. */
const frame = Buffer.from([0x81, 4, ...Buffer.from('tick')]);

/**
 * Starts an upstream. It responds to `/stream` endlessly, accepts WebSockets, and responds to other requests with `ok` after `delay`
 * milliseconds.
 */
export async function startUpstream(delay = 0): Promise<{ readonly port: number; close(): void }> {
  const server: Server = createServer((incoming, response) => {
    if (incoming.url !== '/stream') {
      setTimeout(() => response.end('ok'), delay);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/plain' }).flushHeaders();
    const timer = setInterval(() => response.write('tick\n'), sendInterval);
    response.on('close', () => clearInterval(timer));
  });
  server.on('upgrade', (_, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    const timer = setInterval(() => socket.write(frame), sendInterval);
    socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** An endless response or a WebSocket, as seen by a client. */
export interface Lasting {
  /** Value of `X-Side`. */
  readonly side: string;
  /** Number of lines or frames received. */
  readonly pieces: number;
  readonly isClosed: boolean;
  close(): void;
}

export function openStream(port: number): Promise<Lasting> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: '/stream', agent: false }, (response) => {
      const side = String(response.headers['x-side']);
      const lasting = { side, pieces: 0, isClosed: false, close: () => void response.destroy() };
      response.on('data', () => lasting.pieces++).on('error', () => undefined);
      response.on('close', () => (lasting.isClosed = true));
      resolve(lasting);
    });
    outgoing.on('error', reject).end();
  });
}

export async function openWebSocket(port: number): Promise<Lasting> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
  socket.write(`GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  const side = /x-side: (\w+)/i.exec(head.toString('latin1'))?.[1] ?? '';
  const lasting = {
    side,
    pieces: 0,
    isClosed: !head.toString('latin1').startsWith('HTTP/1.1 101'),
    close: () => void socket.destroy(),
  };
  socket.on('data', () => lasting.pieces++).on('close', () => (lasting.isClosed = true));
  return lasting;
}

/** Sends requests from many clients until stopped. */
export class Load {
  /** Number of responses by status. 0 means no response. */
  readonly statuses = new Map<number, number>();
  /** Start times of requests whose status was not 200, as returned by `performance.now()`, in milliseconds. */
  readonly #failedAt: number[] = [];
  readonly #agent: Agent;
  readonly #port: number;
  readonly #path: string;
  #isStopped = false;
  readonly #loops: Promise<void>[];

  constructor(port: number, path: string, connections = 20) {
    this.#port = port;
    this.#path = path;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.#loops = Array.from({ length: connections }, () => this.#loop());
  }

  /** Returns the number of failed requests that began after the given time. */
  failedSince(time: number): number {
    return this.#failedAt.filter((at) => at > time).length;
  }

  get requests(): number {
    return [...this.statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops);
    this.#agent.destroy();
  }

  async #loop(): Promise<void> {
    while (!this.#isStopped) {
      const began = performance.now();
      const status = await this.#once().catch(() => 0);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status !== 200) this.#failedAt.push(began);
      await sleep(1);
    }
  }

  async #once(): Promise<number> {
    const headers = { 'X-User': String(Math.random()) };
    const outgoing = request({ host: '127.0.0.1', port: this.#port, path: this.#path, agent: this.#agent, headers });
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.statusCode ?? 0;
  }
}
