import { createServer, type Server, type ServerResponse } from 'node:http';

/** A running container. */
export interface TestContainer {
  readonly labels: Readonly<Record<string, string>>;
  /** IP addresses by network. Default: 127.0.0.1 in the network `bridge`. */
  readonly networks?: Readonly<Record<string, string>>;
}

export class ContainerEngine {
  readonly path: string;
  /** Methods and paths of the received requests, without queries. */
  readonly requests = new Set<string>();
  #server: Server | null = null;
  readonly #containers = new Map<string, { readonly id: string; readonly container: TestContainer }>();
  #started = 0;
  readonly #followers = new Set<ServerResponse>();

  constructor(path: string) {
    this.path = path;
  }

  async open(): Promise<void> {
    const server = createServer(({ method = '', url = '' }, response) => {
      const { pathname: path, searchParams } = new URL(url, 'http://engine');
      this.requests.add(`${method} ${path}`);
      if (path === '/containers/json') {
        const { id: wanted } = JSON.parse(searchParams.get('filters') ?? '{}') as { readonly id?: readonly string[] };
        const found = [...this.#containers].filter(([, { id }]) => wanted?.includes(id) ?? true);
        response.end(JSON.stringify(found.map(describe)));
      } else if (path === '/events') {
        response.writeHead(200, { 'Content-Type': 'application/json' }).flushHeaders();
        this.#followers.add(response);
        response.on('close', () => this.#followers.delete(response));
      } else response.writeHead(404).end();
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.path, resolve));
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  start(name: string, container: TestContainer): void {
    // A restarted container receives a new ID, as in Docker.
    const id = (++this.#started).toString(16).padStart(64, '0');
    this.#containers.set(name, { id, container });
    this.#emit('start', name, id);
  }

  stop(name: string): void {
    const { id = '' } = this.#containers.get(name) ?? {};
    this.#containers.delete(name);
    this.#emit('die', name, id);
  }

  #emit(action: string, name: string, id: string): void {
    const event = { Type: 'container', Action: action, Actor: { ID: id, Attributes: { name } } };
    for (const follower of this.#followers) follower.write(`${JSON.stringify(event)}\n`);
  }
}

function describe([name, { id, container }]: [string, { id: string; container: TestContainer }]): object {
  const { labels, networks = { bridge: '127.0.0.1' } } = container;
  const addresses = Object.entries(networks).map(([network, IPAddress]) => [network, { IPAddress }] as const);
  return {
    Id: id,
    Names: [`/${name}`],
    Labels: labels,
    State: 'running',
    NetworkSettings: { Networks: Object.fromEntries(addresses) },
  };
}
