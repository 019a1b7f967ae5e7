/** A proxy between one replica and the Kubernetes API server. It forwards requests and injects faults. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { Cluster } from './cluster.ts';
import type { Fault } from './events.ts';

/** Time for which a stalled connection forwards nothing, in milliseconds. */
const stallTime = 1_500;

export class ApiProxy {
  /** Recorded status patches by path. `null` to forward status patches instead of recording them. */
  recorded: Map<string, object> | null = null;
  /** Timestamp of the last patch, from `performance.now()`. */
  lastPatch = 0;
  readonly #cluster: Cluster;
  readonly #agent: Agent;
  readonly #server: Server;
  readonly #watches = new Map<ServerResponse, string>();
  /** Paths whose next watch receives the status 410. If the value is true, the status is sent as a watch event. */
  readonly #gone = new Map<string, boolean>();
  #isConnected = true;
  #unavailable = 0;
  #conflicts = 0;
  #isCutting = false;
  #stalledUntil = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#agent = new Agent({ keepAlive: true, ca: cluster.ca });
    this.#server = createServer((incoming, response) => {
      this.#handle(incoming, response).catch(() => {
        response.destroy();
      });
    });
  }

  async listen(address: string, port: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(port, address, resolve);
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  disconnect(): void {
    this.#isConnected = false;
    this.#server.closeAllConnections();
  }

  connect(): void {
    this.#isConnected = true;
  }

  /** Ends all faults. */
  heal(): void {
    this.connect();
    this.#gone.clear();
    this.#unavailable = 0;
    this.#conflicts = 0;
    this.#isCutting = false;
    this.#stalledUntil = 0;
  }

  cause(fault: Fault): void {
    switch (fault) {
      case 'close':
        this.#endWatches();
        break;
      case 'cut':
        this.#isCutting = true;
        break;
      case 'gone':
      case 'gone-event':
        for (const path of this.#watches.values()) this.#gone.set(path, fault === 'gone-event');
        this.#endWatches();
        break;
      case 'unavailable':
        this.#unavailable = 6;
        this.#endWatches();
        break;
      case 'conflict':
        this.#conflicts = 2;
        break;
      case 'stall':
        this.#stalledUntil = performance.now() + stallTime;
    }
  }

  #endWatches(): void {
    for (const response of this.#watches.keys()) response.destroy();
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = incoming;
    if (!this.#isConnected) {
      incoming.destroy();
      return;
    }
    const body = await buffer(incoming);
    const [path = ''] = url.split('?');
    const isWatch = url.includes('watch=1');
    if (this.#unavailable > 0) {
      this.#unavailable--;
      answer(response, 503, 'unavailable');
      return;
    }
    if (method === 'PATCH') {
      this.lastPatch = performance.now();
      if (this.#conflicts > 0) {
        this.#conflicts--;
        answer(response, 409, 'conflict');
        return;
      }
      if (this.recorded !== null && path.endsWith('/status')) {
        this.recorded.set(path, JSON.parse(body.toString()) as object);
        answer(response, 200, 'recorded');
        return;
      }
    }
    if (isWatch) {
      const watched = url.replace(/resourceVersion=\d*|timeoutSeconds=\d*/g, '');
      const isEvent = this.#gone.get(watched);
      if (isEvent !== undefined) {
        this.#gone.delete(watched);
        if (!isEvent) answer(response, 410, 'too old resource version');
        else {
          response.writeHead(200, { 'Content-Type': 'application/json' });
          response.end(
            `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old' } })}\n`,
          );
        }
        return;
      }
      this.#watches.set(response, watched);
      response.on('close', () => this.#watches.delete(response));
    }
    this.#forward(incoming, body, response, isWatch);
  }

  #forward(incoming: IncomingMessage, body: Buffer, response: ServerResponse, isWatch: boolean): void {
    const { host: _host, connection: _connection, ...headers } = incoming.headers;
    const { method, url = '' } = incoming;
    const sent = request(new URL(url, this.#cluster.server), { method, headers, agent: this.#agent }, (received) => {
      response.writeHead(received.statusCode ?? 502, {
        'Content-Type': received.headers['content-type'] ?? 'application/json',
      });
      response.flushHeaders();
      let passing = Promise.resolve();
      received.on('data', (chunk: Buffer) => {
        passing = passing.then(() => this.#pass(chunk, response, isWatch));
      });
      received.on('end', () => {
        passing = passing.then(() => void response.end());
      });
      received.on('error', () => response.destroy());
    });
    sent.on('error', () => response.destroy());
    response.on('close', () => sent.destroy());
    sent.end(body);
  }

  async #pass(chunk: Buffer, response: ServerResponse, isWatch: boolean): Promise<void> {
    const stalled = this.#stalledUntil - performance.now();
    if (stalled > 0) await new Promise((resolve) => setTimeout(resolve, stalled));
    if (isWatch && this.#isCutting) {
      this.#isCutting = false;
      // Sends half of a watch event and closes the connection.
      response.write(chunk.subarray(0, chunk.length >> 1), () => response.destroy());
      return;
    }
    response.write(chunk);
  }
}

function answer(response: ServerResponse, code: number, message: string): void {
  response.writeHead(code, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', code, message }));
}
