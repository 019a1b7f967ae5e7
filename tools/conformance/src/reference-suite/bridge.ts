/**
 * Stands where the reference's suite expects the admin endpoint of its server, port 2999, and passes on what is asked.
 * The address of the admin endpoint, which the suite puts in all its configurations, is that of the bridge outside and
 * that of the server inside. So a server that ends can be started again, and a test that reaches none is noticed.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { callAdmin } from '../servers/call-admin.ts';

/** Where the suite looks for a server. */
export const suitePort = 2999;

/** The address of the admin endpoint in the suite's configurations. */
const suiteAddress = 'localhost:2999';

/** The bridge. */
export class Bridge {
  /** Requests so far: a test that makes none does not reach a server. */
  requests = 0;
  readonly #admin: () => number;
  readonly #server: Server;
  /** What is in force in the words of the suite, of what the server says. */
  #outside: (body: string) => string = (body) => body;

  private constructor(admin: () => number) {
    this.#admin = admin;
    this.#server = createServer((incoming, response) => {
      this.requests++;
      this.#take(incoming, response).catch((error: unknown) => refuse(response, 502, String(error)));
    });
  }

  /**
   * Begins to listen; `port` is the suite's, or 0 for any. `admin` gives the port of the admin endpoint of the server under
   * test, which changes when it is started again.
   */
  static async start(admin: () => number, port: number = suitePort): Promise<Bridge> {
    const bridge = new Bridge(admin);
    await new Promise<void>((resolve, reject) => {
      bridge.#server.on('error', reject).listen(port, '127.0.0.1', resolve);
    });
    return bridge;
  }

  /** Port that it listens on. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Ends it with all its connections. */
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

/** A configuration on its way to the server, and how to put into the suite's words what comes back. */
interface Translated {
  readonly body: Buffer | string;
  readonly outside: (body: string) => string;
}

/** A configuration with the address of the server's own admin endpoint, which stays. */
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

/** A document with the section `admin` as the suite wrote it; `undefined` where it wrote none. */
function withAdmin(document: string, written: unknown): string {
  const config: unknown = JSON.parse(document);
  if (!isObject(config)) return document;
  const { admin: _, ...others } = config;
  return JSON.stringify(written === undefined ? others : { admin: written, ...others });
}

/** What is not JSON is passed on as it is: the server says what is wrong with it. */
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
