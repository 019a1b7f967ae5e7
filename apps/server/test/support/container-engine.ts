import { createServer, type Server, type ServerResponse } from 'node:http';

/** A running container. */
export interface TestContainer {
  readonly labels: Readonly<Record<string, string>>;
  /** IP addresses by network. Default: 127.0.0.1 in the network `bridge`. */
  readonly networks?: Readonly<Record<string, string>>;
  /** TCP ports that the container exposes. Default: none. */
  readonly ports?: readonly number[];
  /** Result of the container's own health check, if it has one. */
  readonly health?: Health;
}

export type Health = 'healthy' | 'unhealthy' | 'starting';

type Entry = readonly [name: string, running: { readonly id: string; readonly container: TestContainer }];

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
      const { pathname, searchParams } = new URL(url, 'http://engine');
      // Docker's client prepends the API version.
      const path = pathname.replace(/^\/v\d+\.\d+(?=\/)/, '');
      const inspected = /^\/containers\/([\da-f]{64})\/json$/.exec(path)?.[1];
      this.requests.add(`${method} ${path}`);
      if (path === '/containers/json') {
        const { id: wanted } = JSON.parse(searchParams.get('filters') ?? '{}') as { readonly id?: readonly string[] };
        const found = [...this.#containers].filter(([, { id }]) => wanted?.includes(id) ?? true);
        response.end(JSON.stringify(found.map(describe)));
      } else if (inspected !== undefined) {
        const found = [...this.#containers].find(([, { id }]) => id === inspected);
        response.writeHead(found === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(found === undefined ? { message: 'No such container' } : inspect(found)));
      } else if (path === '/_ping' || path === '/version') {
        response.writeHead(200, { 'Api-Version': apiVersion, 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ Version: '29.0.0', ApiVersion: apiVersion, MinAPIVersion: '1.24', Os: 'linux' }));
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

  /** Changes the result of a container's own health check. */
  setHealth(name: string, health: Health): void {
    const found = this.#containers.get(name);
    if (found === undefined) return;
    this.#containers.set(name, { ...found, container: { ...found.container, health } });
    this.#emit(`health_status: ${health}`, name, found.id);
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

/** Version of the Docker Engine API that clients negotiate. */
const apiVersion = '1.51';

function networksOf({ networks = { bridge: '127.0.0.1' } }: TestContainer): object {
  return Object.fromEntries(Object.entries(networks).map(([network, IPAddress]) => [network, { IPAddress }] as const));
}

/** Returns an entry of the list of containers. */
function describe([name, { id, container }]: Entry): object {
  const { labels, ports, health } = container;
  return {
    Id: id,
    Names: [`/${name}`],
    Labels: labels,
    ...(ports === undefined ? {} : { Ports: ports.map((PrivatePort) => ({ PrivatePort, Type: 'tcp' })) }),
    State: 'running',
    Status: `Up 5 seconds${health === undefined ? '' : ` (${health === 'starting' ? 'health: starting' : health})`}`,
    NetworkSettings: { Networks: networksOf(container) },
  };
}

/** Returns the details of a container, which Traefik reads. */
function inspect([name, { id, container }]: Entry): object {
  const { labels, ports = [], health } = container;
  return {
    Id: id,
    Name: `/${name}`,
    State: { Status: 'running', Running: true, ...(health === undefined ? {} : { Health: { Status: health } }) },
    Config: { Labels: labels, Image: 'test' },
    HostConfig: { NetworkMode: 'bridge' },
    NetworkSettings: {
      Networks: networksOf(container),
      Ports: Object.fromEntries(ports.map((port) => [`${port}/tcp`, null])),
    },
  };
}
