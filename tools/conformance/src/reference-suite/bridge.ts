/**
 * Stands where the reference's suite expects the admin endpoint of its server, port 2999, in front of any server that takes
 * the native JSON. Caddyfiles are adapted on their way; the rest is passed on. The address of the admin endpoint, which
 * the suite puts in all its configurations, is that of the bridge outside and that of the server inside.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { callAdmin } from '../servers/call-admin.ts';

/** Where the suite looks for a server. */
export const suitePort = 2999;

/** Ports of the admin endpoints that {@link Bridge} talks to. They change when a server is started again. */
export interface BridgeTarget {
  /** Of the server under test. */
  readonly admin: () => number;
  /** Of a reference server, which adapts Caddyfiles and serves nothing. */
  readonly adapter: () => number;
}

/** A configuration in the native JSON, or why there is none. */
type Adapted = { readonly config: unknown } | { readonly error: string };

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
      const adapted = type.startsWith('application/json') ? parse(body) : await this.#adapt(body, type);
      if ('error' in adapted) return refuse(response, 400, adapted.error);
      if (isObject(adapted.config)) {
        admin = adapted.config['admin'];
        body = Buffer.from(JSON.stringify(this.#inside(adapted.config)));
      }
    }
    const answer = await callAdmin(this.#target.admin(), { method, path: url, body });
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

  async #adapt(body: Buffer, type: string): Promise<Adapted> {
    const answer = await callAdmin(this.#target.adapter(), { method: 'POST', path: '/adapt', body, type });
    const { result, error } = JSON.parse(answer.body.toString()) as { result?: unknown; error?: string };
    return answer.status === 200 ? { config: result } : { error: error ?? `status ${answer.status}` };
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
