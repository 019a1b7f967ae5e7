/** Runs a server as a separate process in tests. */
import { request, type Agent } from 'node:http';
import { freePort } from '@sluice/testing';
import { type Ended, type RunSettings, type Sandbox, type Started, type Starter, until } from './sandbox.ts';

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Options of a test request. */
export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Request body that is sent verbatim. Use it instead of `body`. */
  readonly text?: string;
  readonly agent?: Agent;
}

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Returns a configuration with an admin endpoint and one server that has the given routes and settings. */
export function config(
  admin: number,
  http: number,
  routes: readonly unknown[],
  options: object = {},
): Record<string, unknown> {
  const s = { listen: [`127.0.0.1:${http}`], automatic_https: { disable: true }, routes, ...options };
  return { admin: { listen: `127.0.0.1:${admin}` }, apps: { http: { servers: { s } } } };
}

/** Returns a configuration to which apps have been added. */
export function withApps(configuration: Record<string, unknown>, apps: object): Record<string, unknown> {
  return { ...configuration, apps: { ...(configuration['apps'] as object), ...apps } };
}

/** Like {@link config}, but the server uses TLS with the given certificate. The other members are settings of the server. */
export function secureConfig(
  admin: number,
  http: number,
  routes: readonly unknown[],
  { cert, key, ...options }: { readonly cert: string; readonly key: string; readonly [option: string]: unknown },
): Record<string, unknown> {
  const configuration = config(admin, http, routes, { tls_connection_policies: [{}], ...options });
  return withApps(configuration, { tls: { certificates: { load_pem: [{ certificate: cert, key }] } } });
}

/** Returns a route that responds with the given text. */
export function says(body: string): Record<string, unknown> {
  return { handle: [{ handler: 'static_response', body }] };
}

/** A running `sluice run` process. */
export class TestServer {
  readonly adminPort: number;
  readonly httpPort: number;
  readonly started: Started;

  private constructor(adminPort: number, httpPort: number, started: Started) {
    this.adminPort = adminPort;
    this.httpPort = httpPort;
    this.started = started;
  }

  /** Starts a server with the given routes. Resolves when the server is ready. */
  static run(
    sandbox: Sandbox,
    routes: readonly unknown[],
    args: readonly string[] = [],
    settings: RunSettings = {},
  ): Promise<TestServer> {
    return TestServer.runWith(sandbox, (admin, http) => config(admin, http, routes), args, settings);
  }

  /** Starts a server with a configuration that uses two free ports: one for the admin endpoint and one for HTTP. */
  static async runWith(
    sandbox: Sandbox,
    configuration: (admin: number, http: number) => unknown,
    args: readonly string[] = [],
    settings: RunSettings = {},
  ): Promise<TestServer> {
    const [admin, http] = [await freePort(), await freePort()];
    const file = await sandbox.write('config.json', configuration(admin, http));
    return TestServer.start(sandbox.with(settings), ['--config', file, ...args], admin, http);
  }

  /** Starts a server with the given arguments. `admin` and `http` are its ports. */
  static async start(sandbox: Starter, args: readonly string[], admin: number, http: number): Promise<TestServer> {
    const workers = args.includes('--workers') ? [] : ['--workers', '0'];
    const server = new TestServer(admin, http, sandbox.start(['run', ...workers, ...args]));
    await server.logged('serving');
    return server;
  }

  /** Log entries parsed so far. */
  get log(): LogLine[] {
    const lines = this.started.stderr().split('\n').slice(0, -1);
    return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
  }

  /** Waits for a log entry whose message contains the given text. */
  async logged(text: string, count = 1): Promise<void> {
    let ended = false;
    void this.started.ended.then(() => (ended = true));
    const found = (): boolean => this.log.filter(({ msg }) => msg.includes(text)).length >= count;
    await until(() => found() || ended, `a log line with ${JSON.stringify(text)}`);
    if (!found()) throw new Error(`the server ended without ${JSON.stringify(text)}: ${this.started.stderr()}`);
  }

  admin(path: string, ask: Ask = {}): Promise<TestResponse> {
    return send(this.adminPort, path, ask);
  }

  http(path = '/', ask: Ask = {}): Promise<TestResponse> {
    return send(this.httpPort, path, ask);
  }

  signal(signal: NodeJS.Signals): void {
    this.started.child.kill(signal);
  }

  /** Sends a signal and waits until the process exits. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.signal(signal);
    return this.started.ended;
  }
}

/** Sends a request. Uses a new connection unless an agent is given. */
export function send(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, text: plain, agent }: Ask = {},
): Promise<TestResponse> {
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path, method, headers: { ...json, ...headers }, agent: agent ?? false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(plain ?? (body === undefined ? undefined : JSON.stringify(body)));
  });
}
