/**
 * A proxy on port 2999, where Caddy's test suite expects the admin endpoint. It forwards requests to the server under test. The suite sets
 * the admin address in all configurations. The proxy replaces it with the server's address and restores it in responses. A crashed server
 * can therefore be restarted, and tests that send no requests are detected.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { callAdmin } from '../servers/call-admin.ts';

/** Port where the test suite expects the admin endpoint. */
const suitePort = 2999;

/** Admin address in the test suite's configurations. */
const suiteAddress = 'localhost:2999';

export class Bridge {
  /** Number of requests so far. A test that sends no requests does not use the server. */
  requests = 0;
  readonly #admin: () => number;
  readonly #server: Server;
  /** Replaces the server's addresses in responses with the addresses that the test suite expects. */
  #outside: (body: string) => string = (body) => body;

  private constructor(admin: () => number) {
    this.#admin = admin;
    this.#server = createServer((incoming, response) => {
      this.requests++;
      this.#take(incoming, response).catch((error: unknown) => refuse(response, 502, String(error)));
    });
  }

  /**
   * Starts the proxy. `port` is the suite's port, or 0 for any free port. `admin` returns the admin port of the server under test. This
   * port changes when the server restarts.
   */
  static async start(admin: () => number, port: number = suitePort): Promise<Bridge> {
    const bridge = new Bridge(admin);
    await new Promise<void>((resolve, reject) => {
      bridge.#server.on('error', reject).listen(port, '127.0.0.1', resolve);
    });
    return bridge;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = incoming.method ?? 'GET';
    const url = incoming.url ?? '/';
    const type = incoming.headers['content-type'] ?? 'application/json';
    const isLoad = method === 'POST' && url === '/load';
    const received = await buffer(incoming);
    const { body, outside } = isLoad ? inside(received, type, `127.0.0.1:${this.#admin()}`) : passedOn(received);
    const reply = await callAdmin(this.#admin(), { method, path: url, body, type });
    if (isLoad && reply.status === 200) this.#outside = outside;
    const isDocument = method === 'GET' && url === '/config/' && reply.status === 200;
    response.writeHead(reply.status, { 'Content-Type': 'application/json' });
    response.end(isDocument ? this.#outside(reply.body.toString()) : reply.body);
  }
}

/** A translated configuration for the server, and the function that translates the responses back. */
interface Translated {
  readonly body: Buffer | string;
  readonly outside: (body: string) => string;
}

/** Replaces the admin address in a configuration with the server's actual admin address. */
function inside(body: Buffer, type: string, listen: string): Translated {
  if (!type.startsWith('application/json')) {
    return {
      body: body.toString().replaceAll(suiteAddress, listen),
      outside: (document) => document.replaceAll(listen, suiteAddress),
    };
  }
  const config = parse(body);
  if (!isObject(config)) return passedOn(body);
  const written = config['admin'];
  const { disabled: _, ...admin } = isObject(written) ? written : {};
  return {
    body: JSON.stringify({ ...config, admin: { ...admin, listen } }),
    outside: (document) => withAdmin(document, written),
  };
}

function passedOn(body: Buffer): Translated {
  return { body, outside: (document) => document };
}

/** Returns a document with the `admin` section written by the suite. If `written` is `undefined`, the section is removed. */
function withAdmin(document: string, written: unknown): string {
  const config: unknown = JSON.parse(document);
  if (!isObject(config)) return document;
  const { admin: _, ...others } = config;
  return JSON.stringify(written === undefined ? others : { admin: written, ...others });
}

/** Parses JSON. Invalid JSON is forwarded unchanged, and the server reports the error. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error }));
}
