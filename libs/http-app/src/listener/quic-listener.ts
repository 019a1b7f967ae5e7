/**
 * A UDP socket and its QUIC connections. Like `Listener`, it survives configuration changes. New connections and new requests are handled
 * by the server of the current configuration. Loaded only if HTTP/3 is configured.
 */
import { hkdfSync } from 'node:crypto';
import {
  guarded,
  listenerKey,
  taskOf,
  unawaited,
  type ListenSockets,
  type Logger,
  type NetworkAddress,
} from '@sluice/base';
import type { QuicTermination } from '@sluice/contracts';
import { nativeCiphers } from '@sluice/native';
import { Endpoint, type Accepted, type ConnectionOptions, type Incoming } from '@sluice/quic';
import type { Pooled } from '@sluice/registry';
import { CutReports, EngineHost, type SocketFacts } from '../engine/index.ts';
import { Http3Connection } from '../engine/http3/connection.ts';
import { plainAddress } from '../engine/facts.ts';
import type { RequestSplit } from '../engine/engine-host.ts';
import type { ServerHandle } from '../engine/server-handle.ts';
import type { DatagramRelay } from './datagram-relay.ts';
import type { DatagramPort } from './bound-port.ts';
import { openDatagramPort } from './datagram-port.ts';
import type { QuicLogs } from './quic-logs.ts';

export { nativeProblem } from '@sluice/native';
export { DatagramRelay } from './datagram-relay.ts';

const task = taskOf('http');

/** Flow-control window per stream and per connection, in bytes. HTTP/2 uses the same size. */
const streamWindow = 1024 * 1024;
const connectionWindow = 2 * 1024 * 1024;
/**
 * Maximum number of concurrent streams: bidirectional streams for requests (the same number as in HTTP/2), and unidirectional streams for
 * control.
 */
const maxRequests = 250;
const maxUnidirectional = 16;
/** Idle timeout of a QUIC connection, in milliseconds. The server's own limits take effect before this timeout. */
const idleTimeout = 120_000;
/** Number of handshakes in progress above which clients must validate their address with a Retry packet. */
const retryAbove = 200;
const maxConnections = 50_000;

export interface QuicListenerOptions {
  readonly address: NetworkAddress;
  /** True to share the port with sockets of other threads (`SO_REUSEPORT`). */
  readonly reusePort: boolean;
  readonly relay: DatagramRelay;
  readonly secret: Uint8Array;
  readonly sockets: ListenSockets | null;
  readonly log: Logger;
  /** Logger for selected QUIC connections; `null` if logging is off. */
  readonly logs: QuicLogs | null;
}

export class QuicListener implements Pooled {
  /** TLS settings of the current configuration. If `null`, new connections are refused. */
  termination: QuicTermination | null = null;
  /** Grace period for requests in flight after {@link retire}, in milliseconds. 0 means no limit. */
  graceMs = 0;
  readonly #socket: DatagramPort;
  readonly #endpoint: Endpoint;
  readonly #log: Logger;
  readonly #logs: QuicLogs | null;
  readonly #sockets: ListenSockets | null;
  readonly #leaveRelay: () => void;
  #host: EngineHost | null = null;
  #split: RequestSplit | null = null;
  #graceTimer: NodeJS.Timeout | null = null;

  private constructor(socket: DatagramPort, { address, log, logs, relay, secret, sockets }: QuicListenerOptions) {
    const key = datagramKey(address);
    this.#socket = socket;
    this.#sockets = sockets;
    this.#leaveRelay = relay.add(key, socket);
    this.#log = log;
    this.#logs = logs;
    const connections: ConnectionOptions = {
      idleTimeout,
      maxData: connectionWindow,
      maxStreamData: streamWindow,
      maxStreamsBidi: maxRequests,
      maxStreamsUni: maxUnidirectional,
    };
    this.#endpoint = new Endpoint({
      transport: socket,
      ciphers: nativeCiphers,
      connections,
      acceptor: { accept: (incoming) => this.#accept(incoming) },
      resetKey: keyOf(secret, 'reset'),
      tokenKey: keyOf(secret, 'token'),
      route: { thread: relay.thread, tag: relay.tag },
      forward: ({ tag, thread }, datagram, { address: from, codepoint }) =>
        relay.forward(tag, thread, { key, datagram, from, codepoint }),
      retryAbove,
      maxConnections,
      ...(socket.memory === undefined ? {} : { memory: socket.memory }),
    });
    socket.start(this.#endpoint);
  }

  /** Binds the address. Throws `ERR_LISTEN` with the reason if this fails. */
  static async open(options: QuicListenerOptions): Promise<QuicListener> {
    const { address, reusePort, sockets } = options;
    const key = datagramKey(address);
    const handed = sockets?.take(key) ?? [];
    const own = handed.map((descriptor) => sockets?.own(descriptor) ?? descriptor);
    const port = await openDatagramPort({ address, reusePort, handed: own });
    for (const [index, socket] of port.raw.entries()) sockets?.opened(socket, key, handed[index] ?? -1);
    return new QuicListener(port, options);
  }

  get port(): number {
    return this.#socket.port;
  }

  get connections(): number {
    return this.#host?.size ?? 0;
  }

  get target(): ServerHandle | null {
    return this.#host?.target ?? null;
  }

  set target(target: ServerHandle | null) {
    if (target === null) return;
    if (this.#host === null) this.#host = new EngineHost(target, new CutReports(this.#log));
    else this.#host.target = target;
  }

  get split(): RequestSplit | null {
    return this.#split;
  }

  set split(split: RequestSplit | null) {
    this.#split = split;
    if (this.#host !== null) this.#host.split = split;
  }

  #accept({ address, destination }: Incoming): Accepted | null {
    const host = this.#host;
    const { termination } = this;
    if (host === null || termination === null || host.retired) return null;
    const facts: SocketFacts = {
      remoteAddress: plainAddress(address.host),
      remotePort: address.port,
      localAddress: plainAddress(
        address.local === undefined || address.local === '' ? this.#socket.local : address.local,
      ),
      localPort: this.#socket.port,
      unix: false,
      tls: null,
      notes: { opening: null, point: null },
    };
    const connection = new Http3Connection(host, facts);
    return {
      user: connection.user,
      begun: (quic) => {
        connection.quic = quic;
      },
      log: this.#logs?.begin(facts.remoteAddress, destination) ?? null,
      tls: (parameters) => {
        const handshake = termination.begin(facts, parameters);
        connection.handshake = handshake;
        return handshake;
      },
    };
  }

  /**
   * Stops receiving, because another process now receives the datagrams. Connections of this process continue through relayed datagrams.
   * Clients are asked to reconnect.
   */
  leave(): void {
    this.#socket.stop();
    this.#host?.retire();
  }

  retire(): void {
    const host = this.#host;
    if (host === null) return;
    host.retire();
    if (this.graceMs === 0 || host.size === 0) return;
    this.#graceTimer = setTimeout(
      guarded(task, () => host.cut()),
      this.graceMs,
    ).unref();
    unawaited(
      task,
      host.empty().then(() => this.#stopGrace()),
    );
  }

  /** Closes the connections, then the socket. */
  async close(): Promise<void> {
    this.retire();
    this.#host?.finish();
    this.#stopGrace();
    await this.#host?.empty();
    this.#endpoint.flush();
    this.#endpoint.close();
    this.#leaveRelay();
    for (const socket of this.#socket.raw) this.#sockets?.closed(socket);
    await this.#socket.close();
  }

  #stopGrace(): void {
    if (this.#graceTimer !== null) clearTimeout(this.#graceTimer);
    this.#graceTimer = null;
  }
}

/** Returns the key that identifies a UDP socket within the process. */
function datagramKey(address: NetworkAddress): string {
  return `udp ${listenerKey(address)}`;
}

function keyOf(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `sluice quic ${purpose}`, 32));
}
