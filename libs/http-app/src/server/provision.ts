/** Creates a server from its options. Compiles only changed routes and reuses the thread's listeners. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { epochsToken } from '@sluice/reconciler';
import { eventHubToken } from '@sluice/telemetry';
import {
  listenerKey,
  type Json,
  type JsonArray,
  type JsonObject,
  type ListenSockets,
  type NetworkAddress,
} from '@sluice/base';
import type { QuicTermination } from '@sluice/contracts';
import { threadBusToken } from '@sluice/threads';
import { token, type Context, type Options, type ResourcePool, type Token } from '@sluice/registry';
import { errorPagesToken, gracePeriodToken, httpPortToken, shutdownDelayToken } from '../app-tokens.ts';
import { provideMetrics, provisionCountedRoute } from '../metrics/provision.ts';
import { isOnPort } from '../automatic-https/decision.ts';
import { withRedirects } from '../automatic-https/redirect-route.ts';
import { wantCertificates } from '../automatic-https/wire.ts';
import { composeChain } from '../listener/chain.ts';
import type { DatagramRelay } from '../listener/datagram-relay.ts';
import { datagramRoutes, datagramRoutesToken } from '../listener/datagram-routes.ts';
import { listenerEvents, type ListenerEvents } from '../listener/events.ts';
import type { Listener } from '../listener/listener.ts';
import type { QuicListener } from '../listener/quic-listener.ts';
import { quicLogsToken } from '../listener/quic-logs.ts';
import { provisionWrappers } from '../listener/wrappers.ts';
import { provisionRoute, type Route } from '../routing/route.ts';
import { traceToken } from '../routing/trace.ts';
import { RouteList } from '../routing/route-list.ts';
import { requestSamplerToken } from '../stats/request-sampler.ts';
import { requestStatsToken } from '../stats/request-stats.ts';
import { requestLogs } from './request-logs.ts';
import { addressesOf, type ServerAddress } from './addresses.ts';
import { ClientAddress } from './client-address.ts';
import { limitsOf } from './limits.ts';
import { ReplayGuard } from './replay-guard.ts';
import { ipSources, type serverOptions } from '../options.ts';
import { serverWatchToken } from './server-watch.ts';
import { Server } from './server.ts';
import { provisionSecurity, type Security } from '../tls/security.ts';

/** Pool of a traffic thread's listeners, by address. */
export const listenersToken: Token<ResourcePool<Listener>> = token<ResourcePool<Listener>>('listeners');

/** Listening sockets of the thread. If absent, sockets can't be handed over to another process. */
export const listenSocketsToken: Token<ListenSockets> = token<ListenSockets>('listen_sockets');

/** True if the listeners of this thread share their ports with other threads. */
export const reusePortToken: Token<boolean> = token<boolean>('reuse_port');

/** Pool of a thread's UDP sockets, by address. If absent, servers don't support HTTP/3. */
export const quicListenersToken: Token<ResourcePool<QuicListener>> =
  token<ResourcePool<QuicListener>>('quic_listeners');

/** Returns the reason why native bindings to OpenSSL and sockets are unavailable, or `null` if they are available. */
export const nativeCheckToken: Token<() => Promise<string | null>> =
  token<() => Promise<string | null>>('native_check');

type Config = Options<typeof serverOptions>;

const noNodes: JsonArray = Object.freeze([]);
/** Empty route used for a `null` entry in a route list. */
const emptyRoute: JsonObject = Object.freeze({});

export async function provisionServer(node: JsonObject, context: Context): Promise<Server> {
  const config = node as Config;
  const previous = context.previous as Server | null;
  const places = addressesOf(config, context);
  const addresses = places.map(({ address }) => address);
  const name = context.where().split('.').at(-1) ?? '';
  if (config.logs?.trace === true) context.provide(traceToken, context.log.named('http.log.trace'));
  const nodes = routeNodes(config.routes);
  const metrics = await provideMetrics(name, nodes, previous?.metrics ?? null, context);
  const routes = await context.list(nodes, provisionCountedRoute, 'routes');
  const errors = config.errors?.routes
    ? await context.list(routeNodes(config.errors.routes), provisionRoute, 'errors', 'routes')
    : null;
  const protocols = protocolsOf(config);
  checkSpoken(config, protocols, context);
  const httpPort = context.use(httpPortToken);
  const redirects = addresses.some((address) => isOnPort(address, httpPort));
  const security = await provisionSecurity(
    config,
    { protocols, addresses, previous: previous?.security ?? null },
    context,
  );
  await wantCertificates(name, security.automatic.certificates, context);
  const wrappers = await provisionWrappers(config.listener_wrappers ?? noNodes, context);
  const plain = composeChain(wrappers, null);
  const secured = composeChain(wrappers, security.termination);
  const reachable = context.isCanary ? places.filter(({ address }) => isServed(address, previous)) : places;
  const opened = await openListeners(reachable, context);
  const quic = await openQuic({ places: reachable, config, httpPort, security }, context);
  const stats = context.find(requestStatsToken) ?? null;
  const server = new Server({
    name,
    limits: limitsOf(config, context),
    protocols,
    security,
    httpPort,
    isWrapped: wrappers.some(({ place }) => place !== 'tls'),
    routes: RouteList.compile(redirects ? withRedirects(routes.items, nodes) : routes.items, previous?.routes),
    errors: errors === null ? null : RouteList.compile(errors.items, previous?.errors),
    namedRoutes: await namedRoutes(config, context),
    clientAddress: await clientAddress(config, context),
    listeners: opened.map(({ listener }) => listener),
    networkAddresses: addresses,
    metrics,
    logs: requestLogs(config.logs, context),
    stats,
    sampler: context.find(requestSamplerToken) ?? null,
    epochs: context.use(epochsToken),
    alternative: quic.alternative,
    errorPages: config.error_pages == null ? context.use(errorPagesToken) : config.error_pages === 'on',
  });
  const watch = context.find(serverWatchToken);
  if (watch !== undefined) context.onRetire(() => watch.drop(server));
  const delay = context.use(shutdownDelayToken);
  if (delay > 0 && context.roles.traffic) {
    context.onLeave(async () => {
      server.shutdownAt = Date.now() + delay;
      await sleep(delay);
    });
  }
  context.onCommit(() => stats?.forget());
  context.onTakeOver(() => {
    watch?.serve(server);
    for (const { listener, address, protocols: own } of opened) {
      // The HTTP port never uses TLS, regardless of connection policies.
      const isPlain = isOnPort(address, httpPort);
      listener.chain = isPlain ? plain : secured;
      listener.polls = !isPlain && security.termination?.usesBindings === true;
      listener.protocols = own;
      listener.target = server;
    }
    for (const listener of quic.listeners) {
      listener.termination = quic.termination;
      listener.target = server;
    }
  });
  const listeners = [...opened.map(({ listener }) => listener), ...quic.listeners];
  const servingNode = context.previousConfig;
  if (context.isCanary && previous !== null && servingNode !== undefined) {
    const { startCanary } = await import('../canary/start.ts');
    context.onCanary((traffic) =>
      startCanary({ server, serving: previous, node, servingNode, listeners, stats }, traffic),
    );
  }
  return server;
}

/** Reports whether a server listens on an address. A canary doesn't listen on any address. */
function isServed(address: NetworkAddress, server: Server | null): boolean {
  return server !== null && server.addresses.includes(listenerKey(address));
}

function routeNodes(routes: Config['routes']): JsonArray {
  const nodes = (routes as JsonArray | null | undefined) ?? noNodes;
  return nodes.includes(null) ? nodes.map((node) => node ?? emptyRoute) : nodes;
}

function protocolsOf(config: Config): readonly string[] {
  return config.protocols === null || config.protocols === undefined || config.protocols.length === 0
    ? ['h1', 'h2', 'h3']
    : config.protocols;
}

/** Protocols that this build supports. */
const spoken: ReadonlySet<string> = new Set(['h1', 'h2', 'h2c', 'h3']);

/** Rejects a server configuration that doesn't enable any protocol. */
function checkSpoken(config: Config, protocols: readonly string[], context: Context): void {
  const own = config.listen_protocols ?? [];
  for (const [index, list] of own.entries())
    if (list !== null && list.length > 0 && !isSpoken(list)) throw notSpoken(list, context, 'listen_protocols', index);
  // If every address overrides the protocols, the server's own protocol list applies only to TLS connections.
  const isReplaced = own.length > 0 && own.every((list) => list !== null && list.length > 0);
  if (!isSpoken(protocols) && !isReplaced) throw notSpoken(protocols, context, 'protocols');
}

function isSpoken(protocols: readonly string[]): boolean {
  return protocols.some((name) => spoken.has(name));
}

function notSpoken(protocols: readonly string[], context: Context, ...at: (string | number)[]): Error {
  const names = protocols.map((name) => JSON.stringify(name)).join(', ');
  return context.error(`unknown protocols (${names}): use h1, h2, h2c or h3`, ...at);
}

/** Maximum time that clients may cache the `Alt-Svc` advertisement of HTTP/3, in seconds, as in Caddy. */
const alternativeAge = 2_592_000;

/** HTTP/3 settings of a server. */
interface QuicPlan {
  readonly places: readonly ServerAddress[];
  readonly config: Config;
  readonly httpPort: number;
  readonly security: Security;
}

interface OpenQuic {
  readonly listeners: readonly QuicListener[];
  readonly termination: QuicTermination | null;
  /** `Alt-Svc` value; `null` if HTTP/3 is not served. */
  readonly alternative: string | null;
}

const noQuic: OpenQuic = { listeners: [], termination: null, alternative: null };

/** Opens UDP sockets for HTTP/3 on the server's TLS addresses if the configuration explicitly lists `h3`. */
async function openQuic({ places, config, httpPort, security }: QuicPlan, context: Context): Promise<OpenQuic> {
  const { termination } = security;
  if (termination === null) return noQuic;
  const wanted = places.filter(
    ({ address, protocols: own }) =>
      // Only explicit ports qualify, because a port that the system assigned for TCP may already be used for UDP.
      address.network.startsWith('tcp') &&
      address.startPort !== 0 &&
      !isOnPort(address, httpPort) &&
      (own ?? config.protocols ?? []).includes('h3'),
  );
  if (wanted.length === 0) return noQuic;
  const alternative = wanted.map(({ address }) => `h3=":${address.startPort}"; ma=${alternativeAge}`).join(', ');
  const guard =
    config.allow_0rtt === true ? await ReplayGuard.acquire(String(config.max_header_bytes ?? 0), context) : null;
  // Threads without traffic also need the `Alt-Svc` value that the other threads use.
  if (!context.roles.traffic) return { ...noQuic, alternative };
  const pool = context.find(quicListenersToken);
  if (pool === undefined) return noQuic;
  const problem = (await context.find(nativeCheckToken)?.()) ?? null;
  if (problem !== null) {
    context.log.warn('HTTP/3 is disabled: native bindings are not available', { reason: problem });
    return noQuic;
  }
  const { DatagramRelay, nativeProblem, QuicListener: Listening } = await import('../listener/quic-listener.ts');
  const missing = nativeProblem();
  if (missing !== null) {
    context.log.warn('HTTP/3 is disabled: native bindings are not available', { reason: missing });
    return noQuic;
  }
  const thread = context.find(threadBusToken)?.thread ?? 0;
  const reusePort = context.use(reusePortToken);
  const graceMs = context.use(gracePeriodToken);
  const sockets = context.find(listenSocketsToken) ?? null;
  const routes = context.find(datagramRoutesToken) ?? datagramRoutes([], randomBytes(32));
  const logs = context.find(quicLogsToken) ?? null;
  const listeners: QuicListener[] = [];
  for (const { address } of wanted) {
    const listener = await context.acquire(pool, listenerKey(address), () => {
      let relay = relays.get(pool);
      if (relay === undefined || relay.closed) {
        relay = new DatagramRelay(routes, thread, sockets);
        relays.set(pool, relay);
      }
      return Listening.open({ address, reusePort, relay, sockets, secret: routes.secret, log: context.log, logs });
    });
    context.onTakeOver(() => {
      listener.graceMs = graceMs;
    });
    listeners.push(listener);
  }
  return { listeners, termination: await termination.quic(guard), alternative };
}

const relays = new WeakMap<ResourcePool<QuicListener>, DatagramRelay>();

interface OpenListener extends ServerAddress {
  readonly listener: Listener;
}

async function openListeners(addresses: readonly ServerAddress[], context: Context): Promise<OpenListener[]> {
  if (!context.roles.traffic) return [];
  const pool = context.use(listenersToken);
  const reusePort = context.use(reusePortToken);
  const sockets = context.find(listenSocketsToken);
  const graceMs = context.use(gracePeriodToken);
  const opened: OpenListener[] = [];
  const thread = context.find(threadBusToken)?.thread ?? 0;
  for (const { address, protocols } of addresses) {
    // Threads can share only explicit ports. The first worker serves socket paths, inherited descriptors and system-assigned ports.
    if (thread > 1 && address.startPort === 0) continue;
    const listener = await context.acquire(pool, listenerKey(address), async () => {
      const { Listener: Listening } = await import('../listener/listener.ts');
      return Listening.open({
        address,
        reusePort,
        ...(sockets === undefined ? {} : { sockets }),
        log: context.log,
        onEvent: eventsOf(address, thread, context),
      });
    });
    context.onTakeOver(() => {
      listener.graceMs = graceMs;
    });
    opened.push({ address, protocols, listener });
  }
  return opened;
}

/** Returns callbacks that publish an event when this thread starts or stops listening. */
function eventsOf(address: NetworkAddress, worker: number, context: Context): ListenerEvents {
  const events = context.find(eventHubToken);
  return (name) => void events?.emitDeclared(listenerEvents[name], { address: listenerKey(address), worker });
}

async function namedRoutes(config: Config, context: Context): Promise<Map<string, RouteList>> {
  const named = new Map<string, RouteList>();
  for (const [name, node] of Object.entries(config.named_routes ?? {})) {
    named.set(name, await context.structure(node as Json as JsonObject, provisionNamedRoute, 'named_routes', name));
  }
  return named;
}

async function provisionNamedRoute(node: JsonObject, context: Context): Promise<RouteList> {
  const route: Route = await provisionCountedRoute(node, context);
  return RouteList.compile([route]);
}

async function clientAddress(config: Config, context: Context): Promise<ClientAddress> {
  const source = config.trusted_proxies ?? null;
  return new ClientAddress({
    trusted: source === null ? null : await context.loadInline(ipSources, source, 'source', 'trusted_proxies'),
    trustUnix: config.trusted_proxies_unix ?? false,
    fields: (config.client_ip_headers ?? ['X-Forwarded-For']).map((name) => name.toLowerCase()),
    strict: (config.trusted_proxies_strict ?? 0) > 0,
  });
}
