/** Generates configurations with automatic HTTPS, and random changes to them. */
import type { Json, JsonObject } from '@sluice/base';
import type { Random } from '../../differential/random.ts';

/** Ports of one test run. The first two are the HTTP and HTTPS ports, unless a configuration swaps them. */
export type Ports = readonly [number, number, number, number];

export const hosts = ['a.example', 'b.example', 'c.example', 'x.w.example', 'other.test'] as const;
const patterns = [...hosts, '*.w.example', '*.example'] as const;
export const paths = ['/', '/x', '/x/y', '/z'] as const;

/** A generated server in a configuration. */
interface ServerNode {
  ports: number[];
  routes: JsonObject[];
  errors: JsonObject[] | null;
  automatic: JsonObject | null;
  policies: boolean;
}

export interface Changeable {
  readonly servers: Map<string, ServerNode>;
  httpPort: number;
  httpsPort: number;
  /** True if the configuration loads a certificate for some of the hosts. These hosts need no HTTPS redirect before other routes. */
  loads: boolean;
}

/** Returns the initial generated configuration. */
export function firstConfiguration(random: Random, ports: Ports): Changeable {
  const [httpPort, httpsPort] = ports;
  const made: Changeable = { servers: new Map(), httpPort, httpsPort, loads: false };
  change(random, ports, made);
  return made;
}

type Change = (random: Random, ports: Ports, made: Changeable) => void;

const changes: readonly Change[] = [
  (random, ports, { servers }) => {
    const free = freePorts(ports, servers);
    if (free.length === 0 || servers.size > 3) return;
    const name = ['s1', 's2', 's3', 's4'].find((each) => !servers.has(each)) as string;
    servers.set(name, {
      ports: [random.pick(free)],
      routes: Array.from({ length: random.integer(0, 3) }, () => routeOf(random)),
      errors: null,
      automatic: automaticOf(random),
      policies: random.chance(0.1),
    });
  },
  (random, _, { servers }) => {
    if (servers.size > 1) servers.delete(random.pick([...servers.keys()]));
  },
  (random, ports, { servers }) => {
    const server = anyServer(random, servers);
    const free = freePorts(ports, servers);
    if (free.length > 0 && random.chance(0.5)) server.ports = [...server.ports, random.pick(free)];
    else if (server.ports.length > 1) server.ports = server.ports.slice(1);
    else if (free.length > 0) server.ports = [random.pick(free)];
  },
  (random, _, { servers }) => {
    anyServer(random, servers).automatic = automaticOf(random);
  },
  (random, _, { servers }) => {
    const { routes } = anyServer(random, servers);
    routes.splice(random.integer(0, routes.length), 0, routeOf(random));
  },
  (random, _, { servers }) => {
    const { routes } = anyServer(random, servers);
    if (routes.length > 0) routes.splice(random.integer(0, routes.length - 1), 1);
  },
  (random, _, { servers }) => {
    const { routes } = anyServer(random, servers);
    if (routes.length > 0) routes[random.integer(0, routes.length - 1)] = routeOf(random);
  },
  (random, _, { servers }) => {
    const server = anyServer(random, servers);
    server.policies = !server.policies;
  },
  (random, _, { servers }) => {
    const server = anyServer(random, servers);
    server.errors = server.errors === null ? [{ ...routeOf(random), handle: [respond(random)] }] : null;
  },
  (_, __, made) => {
    made.loads = !made.loads;
  },
  (random, ports, made) => {
    if (random.chance(0.3))
      [made.httpPort, made.httpsPort] = random.pick([ports.slice(0, 2), ports.slice(2)]) as [number, number];
  },
];

/** Applies one to three random changes. */
export function change(random: Random, ports: Ports, made: Changeable): void {
  for (let left = random.integer(1, 3); left > 0; left--) {
    if (made.servers.size === 0) (changes[0] as Change)(random, ports, made);
    random.pick(changes)(random, ports, made);
  }
}

/** External objects that a configuration refers to. */
export interface Files {
  /** Storage directory. */
  readonly storage: string;
  /** A certificate and its key in PEM format. */
  readonly loaded: { readonly certificate: string; readonly key: string };
}

/** Host names of the certificate that configurations load. */
export const loadedNames = ['a.example', '*.w.example'] as const;

export function documentOf(
  { servers, httpPort, httpsPort, loads }: Changeable,
  { storage, loaded }: Files,
): JsonObject {
  return {
    logging: { logs: { default: { writer: { output: 'discard' } } } },
    storage: { module: 'file_system', root: storage },
    apps: {
      pki: { certificate_authorities: { local: { install_trust: false } } },
      tls: {
        automation: { policies: [{ issuers: [{ module: 'internal' }] }] },
        ...(loads ? { certificates: { load_pem: [loaded] } } : {}),
      },
      http: {
        http_port: httpPort,
        https_port: httpsPort,
        servers: Object.fromEntries([...servers].map(([name, server]) => [name, serverOf(server)])),
      },
    },
  };
}

function serverOf({ ports, routes, errors, automatic, policies }: ServerNode): Json {
  return {
    listen: ports.map((port) => `127.0.0.1:${port}`),
    routes: [...routes],
    ...(errors === null ? {} : { errors: { routes: errors } }),
    ...(automatic === null ? {} : { automatic_https: automatic }),
    ...(policies ? { tls_connection_policies: [{}] } : {}),
  };
}

function anyServer(random: Random, servers: Changeable['servers']): ServerNode {
  return random.pick([...servers.values()]);
}

function freePorts(ports: Ports, servers: Changeable['servers']): number[] {
  const taken = [...servers.values()].flatMap((server) => server.ports);
  return ports.filter((port) => !taken.includes(port));
}

function automaticOf(random: Random): JsonObject | null {
  if (random.chance(0.5)) return null;
  return random.pick<JsonObject>([
    { disable: true },
    { disable_redirects: true },
    { disable_certificates: true },
    { skip: [random.pick(patterns)] },
    { skip_certificates: [random.pick(patterns)] },
  ]);
}

/** Returns a route with a unique response body, because a client cannot distinguish routes with identical responses. */
function routeOf(random: Random): JsonObject {
  const set: Record<string, Json> = {};
  if (random.chance(0.7)) set['host'] = [...new Set([random.pick(patterns), random.pick(patterns)])];
  if (random.chance(0.4)) set['path'] = [random.pick(['/x', '/x/*', '/z'])];
  const handler = random.chance(0.15) ? { handler: 'error', status_code: random.pick([403, 404]) } : respond(random);
  return {
    ...(Object.keys(set).length === 0 ? {} : { match: [set] }),
    handle: [handler],
    ...(random.chance(0.2) ? { terminal: true } : {}),
  };
}

function respond(random: Random): JsonObject {
  const body = random.pick(['one', 'two', 'three', 'four']);
  return { handler: 'static_response', body, status_code: random.pick([200, 404]) };
}
