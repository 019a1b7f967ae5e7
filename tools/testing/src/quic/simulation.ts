/**
 * Connects QUIC endpoints through a simulated network with a simulated clock. It simulates loss, delay, reordering and duplication without
 * waiting in real time.
 */
import {
  Endpoint,
  ecn,
  nodeCiphers,
  type CloseReason,
  type Clock,
  type Connection,
  type ConnectionUser,
  type DatagramRun,
  type EndpointOptions,
  type PeerAddress,
  type QuicConnection,
  type QuicStream,
  type StreamUser,
  type TlsSession,
} from '@sluice/quic';
import { FakeTls } from './fake-tls.ts';

/** Creates the TLS session of a connection. `parameters` are the encoded transport parameters. */
export type MakeTls = (parameters: Buffer) => TlsSession;

interface Event {
  readonly at: number;
  readonly order: number;
  callback: (() => void) | null;
}

/** A clock that advances when no work remains at the current time. */
export class SimulatedClock implements Clock {
  #now = 1000;
  #order = 0;
  #events: Event[] = [];

  now(): number {
    return this.#now;
  }

  at(time: number, callback: () => void): () => void {
    const event: Event = { at: Math.max(time, this.#now), order: this.#order++, callback };
    this.#events.push(event);
    return () => {
      event.callback = null;
    };
  }

  soon(callback: () => void): () => void {
    return this.at(this.#now, callback);
  }

  /** Runs until `done` returns true, or until no work remains within `limit` milliseconds. */
  run(done: () => boolean, limit = 60_000): void {
    const end = this.#now + limit;
    while (!done()) {
      this.#events.sort((a, b) => a.at - b.at || a.order - b.order);
      const next = this.#events[0];
      if (next === undefined || next.at > end) {
        this.#now = end;
        return;
      }
      this.#events.shift();
      this.#now = Math.max(this.#now, next.at);
      next.callback?.();
    }
  }
}

/** Properties of a network link. */
export interface NetworkLink {
  /** One-way delay, in milliseconds. */
  delay: number;
  jitter: number;
  /** Loss probability. */
  loss: number;
  duplicate: number;
  /** Data rate in bytes per millisecond. 0 means unlimited. */
  rate: number;
  /** Maximum datagram size in bytes. Larger datagrams are dropped. */
  mtu: number;
  /** Called for each datagram. The datagram is dropped if the function returns false. */
  filter: (datagram: Buffer, from: 'client' | 'server') => boolean;
}

export const perfect: NetworkLink = {
  delay: 5,
  jitter: 0,
  loss: 0,
  duplicate: 0,
  rate: 0,
  mtu: 1500,
  filter: () => true,
};

/** Returns a pseudorandom number generator for a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const serverAddress: PeerAddress = { host: '10.0.0.1', port: 443, key: '10.0.0.1:443' };

/** Records the connection events of one endpoint. */
export class Peer implements ConnectionUser {
  connection: Connection | null = null;
  ready = false;
  complete = false;
  /** Number of times the stream limit was raised. */
  limits = 0;
  closed: CloseReason | null = null;
  readonly faults: unknown[] = [];
  readonly streams: QuicStream[] = [];
  onNewStream: (stream: QuicStream) => void = () => undefined;

  onReady(connection: QuicConnection): void {
    this.connection = connection as Connection;
    this.ready = true;
  }

  onHandshakeComplete(): void {
    this.complete = true;
  }

  onStream(stream: QuicStream): void {
    this.streams.push(stream);
    this.onNewStream(stream);
  }

  onStreamLimit(): void {
    this.limits += 1;
  }

  onClosed(reason: CloseReason): void {
    this.closed = reason;
  }

  fault(error: unknown): void {
    this.faults.push(error);
  }
}

/** Reads a stream until its end. */
export class Collector implements StreamUser {
  readonly #chunks: Buffer[] = [];
  readonly #stream: QuicStream;
  received = 0;
  ended = false;
  resetCode = -1;
  stopCode = -1;
  closed = false;
  rooms = 0;
  readonly faults: unknown[] = [];
  onFinished: (data: Buffer) => void = () => undefined;

  constructor(stream: QuicStream) {
    this.#stream = stream;
    stream.user = this;
  }

  get data(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  onData(bytes: Buffer): void {
    this.#chunks.push(Buffer.from(bytes));
    this.received += bytes.length;
    this.#stream.credit(bytes.length);
  }

  onEnd(): void {
    this.ended = true;
    this.onFinished(this.data);
  }

  onReset(code: number): void {
    this.resetCode = code;
  }

  onStopSending(code: number): void {
    this.stopCode = code;
  }

  onRoom(): void {
    this.rooms += 1;
  }

  onClosed(): void {
    this.closed = true;
  }

  fault(error: unknown): void {
    this.faults.push(error);
  }
}

/** A simulated server with one client. */
export class Simulation {
  readonly clock = new SimulatedClock();
  readonly link: NetworkLink;
  readonly server: Endpoint;
  readonly client: Endpoint;
  readonly atServer: Peer[] = [];
  readonly atClient = new Peer();
  /** Client address that the server receives with each datagram. */
  clientAddress: PeerAddress = { host: '10.0.0.2', port: 50_000, key: '10.0.0.2:50000' };
  /** Number of bytes sent by the server. */
  sentByServer = 0;
  sentByClient = 0;
  /** Destination of the datagram that is passed to `NetworkLink.filter`. */
  sentTo = '';
  readonly #clientTls: MakeTls;
  readonly #random: () => number;
  readonly #busyUntil = { client: 0, server: 0 };

  constructor(
    link: Partial<NetworkLink> = {},
    {
      seed = 1,
      server = {},
      certificate = 1000,
      earlyData = false,
      tls = {},
    }: {
      seed?: number;
      server?: Partial<EndpointOptions>;
      /** Size of the simulated certificate, in bytes. */
      certificate?: number;
      /** If true, the server's simulated TLS accepts early data. */
      earlyData?: boolean;
      /** TLS implementation that replaces the simulated TLS. */
      tls?: { readonly server?: MakeTls; readonly client?: MakeTls };
    } = {},
  ) {
    this.link = { ...perfect, ...link };
    const atServer = tls.server ?? ((parameters) => new FakeTls(true, parameters, { certificate, earlyData }));
    this.#clientTls = tls.client ?? ((parameters) => new FakeTls(false, parameters));
    this.#random = randomOf(seed);
    const common = {
      ciphers: nodeCiphers,
      resetKey: Buffer.alloc(32, 1),
      tokenKey: Buffer.alloc(32, 2),
      clock: this.clock,
      connections: {
        idleTimeout: 30_000,
        maxData: 1 << 20,
        maxStreamData: 1 << 18,
        maxStreamsBidi: 100,
        maxStreamsUni: 10,
      },
    };
    this.server = new Endpoint({
      ...common,
      transport: { send: (run) => this.#send(run, 'server') },
      acceptor: {
        accept: () => {
          const user = new Peer();
          this.atServer.push(user);
          return { user, tls: atServer };
        },
      },
      ...server,
    });
    this.client = new Endpoint({
      ...common,
      transport: { send: (run) => this.#send(run, 'client') },
      acceptor: null,
    });
  }

  connect(): Connection {
    const connection = this.client.connect(serverAddress, this.atClient, {
      tls: this.#clientTls,
    });
    return connection;
  }

  /** Connects and runs until both endpoints have completed the handshake. */
  established(): { readonly client: Connection; readonly server: Connection } {
    const client = this.connect();
    this.clock.run(() => client.confirmed && this.atServer.some(({ complete }) => complete));
    const server = this.atServer.find(({ complete }) => complete)?.connection;
    if (server == null || !client.confirmed)
      throw new Error(`the handshake did not complete: ${this.atClient.closed?.reason}`);
    return { client, server };
  }

  #send({ bytes, start, end, segment, to }: DatagramRun, from: 'client' | 'server'): void {
    this.sentTo = to.key;
    for (let at = start; at < end; at += segment) {
      const datagram = Buffer.from(bytes.subarray(at, Math.min(end, at + segment)));
      if (from === 'server') this.sentByServer += datagram.length;
      else this.sentByClient += datagram.length;
      this.#carry(datagram, from);
    }
  }

  #carry(datagram: Buffer, from: 'client' | 'server'): void {
    const { link } = this;
    if (datagram.length > link.mtu || this.#random() < link.loss || !link.filter(datagram, from)) return;
    const copies = this.#random() < link.duplicate ? 2 : 1;
    const now = this.clock.now();
    let leaves = now;
    if (link.rate > 0) {
      leaves = Math.max(now, this.#busyUntil[from]) + datagram.length / link.rate;
      // The link queues at most 100 ms of data and drops further datagrams.
      if (leaves - now > 100) return;
      this.#busyUntil[from] = leaves;
    }
    const address = from === 'client' ? this.clientAddress : serverAddress;
    for (let i = 0; i < copies; i++) {
      const arrives = leaves + link.delay + this.#random() * link.jitter;
      this.clock.at(arrives, () => this.#deliver(Buffer.from(datagram), from, address));
    }
  }

  #deliver(datagram: Buffer, from: 'client' | 'server', address: PeerAddress): void {
    const to = from === 'client' ? this.server : this.client;
    to.receive(datagram, 0, datagram.length, { address, codepoint: ecn.notEct, now: this.clock.now() });
    to.flush();
  }

  close(): void {
    this.client.close();
    this.server.close();
  }
}
