/**
 * Stands where the reference's suite expects the admin endpoint of its server, port 2999, in front of any server that takes
 * the native JSON. Caddyfiles are adapted on their way; the rest is passed on. The address of the admin endpoint, which
 * the suite puts in all its configurations, is that of the bridge outside and that of the server inside.
 */
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Adapted } from './adapt.ts';

/** Where the suite looks for a server. */
export const suitePort = 2999;

/** What {@link Bridge} stands in front of. */
export interface BridgeTarget {
  /** Port of the server's admin endpoint, which may change when it is started again. */
  readonly admin: () => number;
  /** Makes the native JSON of a Caddyfile. */
  readonly adapt: (caddyfile: string) => Promise<Adapted>;
}

/** The bridge. */
export class Bridge {
  /** Requests so far: a test that makes none does not reach a server. */
  requests = 0;
  readonly #target: BridgeTarget;
  readonly #server: Server;
  /** The section `admin` as the suite wrote it; `undefined` where it wrote none. */
  #admin: unknown;

  private constructor(target: BridgeTarget) {
    this.#target = target;
    this.#server = createServer((incoming, response) => {
      this.requests++;
      this.#take(incoming, response).catch((error: unknown) => refuse(response, 502, String(error)));
    });
  }

  /** Begins to listen; `port` is the suite's, or 0 for any. */
  static async start(target: BridgeTarget, port: number = suitePort): Promise<Bridge> {
    const bridge = new Bridge(target);
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
    let body = await buffer(incoming);
    let admin = this.#admin;
    if (method === 'POST' && url === '/load') {
      const adapted = type.startsWith('application/json') ? parse(body) : await this.#target.adapt(body.toString());
      if ('error' in adapted) return refuse(response, 400, adapted.error);
      if (isObject(adapted.config)) {
        admin = adapted.config['admin'];
        body = Buffer.from(JSON.stringify(this.#inside(adapted.config)));
      }
    }
    const answer = await this.#pass(method, url, body);
    if (method === 'POST' && url === '/load' && answer.status === 200) this.#admin = admin;
    const isDocument = method === 'GET' && url === '/config/' && answer.status === 200;
    response.writeHead(answer.status, { 'Content-Type': 'application/json' });
    response.end(isDocument ? this.#outside(answer.body) : answer.body);
  }

  /** The configuration with the address of the server's own admin endpoint, which stays. */
  #inside(config: Record<string, unknown>): object {
    const { disabled: _, ...admin } = isObject(config['admin']) ? config['admin'] : {};
    return { ...config, admin: { ...admin, listen: `127.0.0.1:${this.#target.admin()}` } };
  }

  /** The configuration as the suite wrote it. */
  #outside(body: Buffer): string {
    const config: unknown = JSON.parse(body.toString());
    if (!isObject(config)) return body.toString();
    const { admin: _, ...others } = config;
    return JSON.stringify(this.#admin === undefined ? others : { admin: this.#admin, ...others });
  }

  #pass(method: string, path: string, body: Buffer): Promise<{ status: number; body: Buffer }> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': body.length };
      const address = { host: '127.0.0.1', port: this.#target.admin(), agent: false };
      const call = request({ ...address, method, path, headers }, (answer) => {
        buffer(answer).then((received) => resolve({ status: answer.statusCode ?? 0, body: received }), reject);
      });
      call.on('error', reject).end(body);
    });
  }
}

/** What is not JSON is passed on as it is: the server says what is wrong with it. */
function parse(body: Buffer): Adapted {
  try {
    return { config: JSON.parse(body.toString()) as unknown };
  } catch {
    return { config: null };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error }));
}
