/**
 * Listens on port 2999, where Caddy's test suite expects the admin endpoint, and forwards requests to the server under
 * test. It replaces the admin address, which the suite sets in all its configurations, with that of the server, and
 * back in responses. A crashed server can thus be restarted, and tests without requests are detected.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { callAdmin } from '../servers/call-admin.ts';

/** Port of the admin endpoint in the suite. */
const suitePort = 2999;

/** Address of the admin endpoint in the suite's configurations. */
const suiteAddress = 'localhost:2999';

export class Bridge {
  /** Number of requests so far. A test without requests does not reach a server. */
  requests = 0;
  readonly #admin: () => number;
  readonly #server: Server;
  /** Translates responses of the server to the addresses of the suite. */
  #outside: (body: string) => string = (body) => body;

  private constructor(admin: () => number) {
    this.#admin = admin;
    this.#server = createServer((incoming, response) => {
      this.requests++;
      this.#take(incoming, response).catch((error: unknown) => refuse(response, 502, String(error)));
    });
  }

  /**
   * Starts listening. `port` is the suite's, or 0 for any. `admin` returns the admin port of the server under test, which changes when the
   * server restarts.
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

/** A configuration for the server, and the reverse translation for its responses. */
interface Translated {
  readonly body: Buffer | string;
  readonly outside: (body: string) => string;
}

/** Replaces the admin address of a configuration with the server's own. */
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

/** Returns a document with the suite's `admin` section, or without one if `undefined`. */
function withAdmin(document: string, written: unknown): string {
  const config: unknown = JSON.parse(document);
  if (!isObject(config)) return document;
  const { admin: _, ...others } = config;
  return JSON.stringify(written === undefined ? others : { admin: written, ...others });
}

/** Parses JSON. Invalid JSON is forwarded unchanged, so that the server reports it. */
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
