/** A server of the `layer4` app, with its addresses and routes. */
import {
  expandPorts,
  expandRequired,
  isDatagramNetwork,
  isUnixNetwork,
  listenerKey,
  parseDuration,
  parseNetworkAddress,
  type JsonObject,
  type Logger,
  type NetworkAddress,
} from '@sluice/base';
import {
  Listener,
  listenersToken,
  listenSocketsToken,
  reusePortToken,
  type ConnectionHost,
  type RawService,
  type SocketFacts,
} from '@sluice/http-app';
import { epochsToken, type EpochTracker } from '@sluice/reconciler';
import { ResourcePool, type Context, type Options } from '@sluice/registry';
import { threadBusToken } from '@sluice/threads';
import type { Duplex } from 'node:stream';
import { Layer4Connection, type TransportName } from './connection/connection.ts';
import { ConnectionTable } from './connection/connection-table.ts';
import { DatagramListener } from './listener/datagram-listener.ts';
import type { layer4ServerOptions } from './options.ts';
import { provisionLayer4Routes, type Layer4Routes } from './routing/route-list.ts';

const defaultIdleTimeout = 30_000;

/** A provisioned server. */
export class Layer4Server implements RawService {
  /** Listen addresses, as listener keys. */
  readonly addresses: readonly string[];
  readonly routes: Layer4Routes;
  readonly #log: Logger;
  readonly #epochs: EpochTracker;
  readonly #table: ConnectionTable | null;

  constructor(
    addresses: readonly NetworkAddress[],
    routes: Layer4Routes,
    { log, epochs, table }: { log: Logger; epochs: EpochTracker; table: ConnectionTable | null },
  ) {
    this.addresses = addresses.map(listenerKey);
    this.routes = routes;
    this.#log = log;
    this.#epochs = epochs;
    this.#table = table;
  }

  accept(host: ConnectionHost | null, socket: Duplex, facts: SocketFacts): void {
    this.take(host, socket, facts, facts.unix ? 'unix' : 'tcp');
  }

  /** Starts handling a connection. `host` is the listener that counts the connection. */
  take(host: ConnectionHost | null, socket: Duplex, facts: SocketFacts, transport: TransportName): void {
    const epoch = this.#epochs.current;
    const connection = new Layer4Connection({ socket, facts, transport, log: this.#log, epoch, table: this.#table });
    if (host !== null) connection.join(host);
    this.routes.enter(connection, closeUnmatched);
  }
}

/** Closes a connection that no route handles. */
function closeUnmatched(connection: Layer4Connection): void {
  connection.close();
}

interface ThreadPools {
  readonly tables: ResourcePool<ConnectionTable>;
  readonly datagrams: ResourcePool<DatagramListener>;
}

const pools = new WeakMap<ResourcePool<Listener>, ThreadPools>();

function poolsOf(listeners: ResourcePool<Listener>): ThreadPools {
  let found = pools.get(listeners);
  if (found === undefined) {
    found = { tables: new ResourcePool(), datagrams: new ResourcePool() };
    pools.set(listeners, found);
  }
  return found;
}

/** Acquires the connection table of this thread. Returns `null` in a thread that accepts no connections. */
export async function acquireTable(context: Context): Promise<ConnectionTable | null> {
  const listeners = context.roles.traffic ? context.find(listenersToken) : undefined;
  if (listeners === undefined) return null;
  const sockets = context.find(listenSocketsToken);
  return context.acquire(poolsOf(listeners).tables, 'connections', () => new ConnectionTable(sockets));
}

export async function provisionLayer4Server(node: JsonObject, context: Context): Promise<Layer4Server> {
  const config = node as Options<typeof layer4ServerOptions>;
  const addresses = addressesOf(config.listen ?? [], context);
  const routes = await provisionLayer4Routes(config, context);
  const table = await acquireTable(context);
  const server = new Layer4Server(addresses, routes, { log: context.log, epochs: context.use(epochsToken), table });
  if (context.roles.traffic) await openListeners(server, addresses, idleTimeoutOf(config, context), context);
  return server;
}

function idleTimeoutOf(config: Options<typeof layer4ServerOptions>, context: Context): number {
  try {
    return parseDuration(config.idle_timeout ?? 0) || defaultIdleTimeout;
  } catch (error) {
    throw context.error((error as Error).message, 'idle_timeout');
  }
}

function addressesOf(texts: readonly string[], context: Context): NetworkAddress[] {
  return texts.flatMap((text, index) => {
    try {
      return expandPorts(parseNetworkAddress(expandRequired(text)));
    } catch (error) {
      throw context.error((error as Error).message, 'listen', index);
    }
  });
}

async function openListeners(
  server: Layer4Server,
  addresses: readonly NetworkAddress[],
  idleTimeout: number,
  context: Context,
): Promise<void> {
  const pool = context.use(listenersToken);
  const { datagrams } = poolsOf(pool);
  const sockets = context.find(listenSocketsToken);
  const thread = context.find(threadBusToken)?.thread ?? 0;
  const reusePort = context.use(reusePortToken);
  const { log } = context;
  for (const address of addresses) {
    // As in the `http` app, only one thread serves addresses that threads can't share.
    if (thread > 1 && address.startPort === 0) continue;
    if (isDatagramNetwork(address.network)) {
      if (isUnixNetwork(address.network)) throw context.error('Unix sockets must be stream sockets', 'listen');
      const listener = await context.acquire(datagrams, listenerKey(address), () =>
        DatagramListener.open(address, reusePort, log),
      );
      context.onCommit(() => listener.serve(server, idleTimeout));
      continue;
    }
    const listener = await context.acquire(pool, listenerKey(address), () =>
      Listener.open({ address, reusePort, log, ...(sockets === undefined ? {} : { sockets }) }),
    );
    context.onCommit(() => {
      listener.service = server;
    });
  }
}
