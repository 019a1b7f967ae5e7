/** A complete server in the test process. Tests pass in a configuration and read responses without sockets. */
import {
  BufferedBody,
  emptyBody,
  Exchange,
  httpApp,
  httpAppModule,
  listenersToken,
  reusePortToken,
  type ConnectionInfo,
  type Listener,
  type RequestBody,
  type Server,
} from '@sluice/http-app';
import { HeaderMap } from '@sluice/http1';
import { Reconciler, noThreads, Runtime } from '@sluice/reconciler';
import { Registry, ResourcePool, type Register, type Token } from '@sluice/registry';
import { silentLogger, type Json, type Logger } from '@sluice/base';
import { adminApi, type AdminApi } from './admin-api.ts';
import { askAdmin, type AdminTestRequest, type AdminTestResponse } from './ask-admin.ts';
import { MemoryResponse } from './memory-response.ts';
import { PiecewiseBody } from './piecewise-body.ts';
import { startStandard } from './standard.ts';

export interface ServeOptions {
  /** Packages under test. The `http` app is always included. */
  readonly register: readonly Register[];
  /**
   * True to include all modules of the server and the admin API, as required by tests of third-party packages. Requires the package
   * `sluice`. Default: only the packages in `register` and the `http` app.
   */
  readonly standard?: boolean;
  readonly log?: Logger;
  readonly services?: ReadonlyMap<Token<unknown>, unknown>;
}

export interface TestRequest {
  readonly method?: string;
  /** Request target: escaped path and query. Default: `/`. */
  readonly path?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  /** Pieces of a body of unknown length, as in a chunked request. Use it instead of `body`. */
  readonly pieces?: readonly string[];
  readonly proto?: string;
  readonly connection?: Partial<ConnectionInfo>;
  /** Name of the server in the configuration. Default: the first server. */
  readonly server?: string;
}

export interface TestResponse {
  /** Response status, or 0 if the connection was aborted. */
  readonly status: number;
  readonly headers: HeaderMap;
  readonly text: string;
  readonly body: Buffer;
  readonly informational: readonly { status: number; headers: HeaderMap }[];
  readonly trailers: HeaderMap | null;
}

/** A server that runs a configuration. Close it at the end of the test. */
export interface TestServer {
  readonly reconciler: Reconciler;
  /** Deprecated alias of {@link reconciler}. */
  readonly engine: Reconciler;
  readonly runtime: Runtime;
  request(request?: TestRequest | string): Promise<TestResponse>;
  /** Sends a request to the admin API, such as `admin('/config/')`. */
  admin(path: string, ask?: AdminTestRequest): Promise<AdminTestResponse>;
  close(): Promise<void>;
}

/** Returns a configuration document with one server that has the given routes. */
export function withRoutes(routes: Json, server: Readonly<Record<string, Json>> = {}): Json {
  return { apps: { http: { servers: { s: { routes, ...server } } } } };
}

/** Applies a configuration in this process. Listens on the configured addresses, if any. */
export async function serve(config: Json, options: ServeOptions): Promise<TestServer> {
  const log = options.log ?? silentLogger;
  if (options.standard === true) {
    const server = await startStandard(config, { register: options.register, log });
    const admin = (path: string, ask: AdminTestRequest = {}) => askAdmin(server.adminPort, path, ask);
    return { ...served(server.reconciler, server.runtime), admin, close: server.close };
  }
  const registry = new Registry();
  registry.add(httpAppModule);
  for (const register of options.register) registry.use(register);
  const services = new Map<Token<unknown>, unknown>([
    [listenersToken, new ResourcePool<Listener>()],
    [reusePortToken, false],
    ...(options.services ?? []),
  ]);
  const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log, services });
  const reconciler = new Reconciler({ registry, runtime, threads: noThreads, store: null, log });
  await reconciler.load(config);
  let api: Promise<AdminApi> | null = null;
  return {
    ...served(reconciler, runtime),
    admin: async (path, ask) => (await (api ??= adminApi(reconciler, log))).request(path, ask),
    close: async () => {
      await (await api)?.close();
      await reconciler.close();
    },
  };
}

function served(
  reconciler: Reconciler,
  runtime: Runtime,
): Pick<TestServer, 'reconciler' | 'engine' | 'runtime' | 'request'> {
  return { reconciler, engine: reconciler, runtime, request: (request = {}) => run(runtime, request) };
}

/** Applies a configuration for the duration of a single request. */
export async function request(config: Json, what: TestRequest | string, options: ServeOptions): Promise<TestResponse> {
  const server = await serve(config, options);
  try {
    return await server.request(what);
  } finally {
    await server.close();
  }
}

function serverOf(runtime: Runtime, name: string | undefined): Server {
  const servers = runtime.app(httpApp)?.servers;
  const server = name === undefined ? servers?.values().next().value : servers?.get(name);
  if (server === undefined) throw new Error('the configuration does not have this server');
  return server;
}

async function run(runtime: Runtime, what: TestRequest | string): Promise<TestResponse> {
  const exchange = makeExchange(typeof what === 'string' ? { path: what } : what);
  await serverOf(runtime, typeof what === 'string' ? undefined : what.server).handle(exchange);
  const response = exchange.writer as MemoryResponse;
  return {
    status: response.status,
    headers: response.sent ?? response.headers,
    text: response.body.toString(),
    body: response.body,
    informational: response.informational,
    trailers: response.trailers,
  };
}

/** Returns the properties of a simulated loopback connection. Aborting the connection calls `cut`. */
export function connectionFacts(cut: () => void): ConnectionInfo {
  return {
    remoteAddress: '127.0.0.1',
    remotePort: 50000,
    localAddress: '127.0.0.1',
    localPort: 80,
    unix: false,
    tls: null,
    upgrade: () => null,
    destroy: cut,
  };
}

/** Creates an HTTP exchange without a connection. Its response writer is a {@link MemoryResponse}. */
export function makeExchange(what: TestRequest = {}): Exchange {
  const target = what.path ?? '/';
  const mark = target.indexOf('?');
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(what.headers ?? {})) {
    for (const line of typeof value === 'string' ? [value] : value) headers.append(name.toLowerCase(), line);
  }
  const response = new MemoryResponse();
  const cut = (): void => {
    response.ended = true;
  };
  const connection: ConnectionInfo = { ...connectionFacts(cut), ...what.connection };
  const head = {
    method: what.method ?? 'GET',
    rawPath: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? null : target.slice(mark + 1),
    proto: what.proto ?? 'HTTP/1.1',
    host: what.host ?? 'localhost',
    headers,
  };
  return new Exchange(head, connection, response, bodyOf(what));
}

function bodyOf({ body, pieces }: TestRequest): RequestBody {
  if (pieces !== undefined) return new PiecewiseBody(pieces);
  return body === undefined ? emptyBody : new BufferedBody(Buffer.from(body));
}
