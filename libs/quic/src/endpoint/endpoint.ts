/**
 * All QUIC connections of a UDP socket. Routes datagrams, accepts connections and runs timers. The owner of the socket calls {@link
 * Endpoint.receive} for each datagram and {@link Endpoint.flush} after each batch.
 */
import { randomBytes } from 'node:crypto';
import { failOwner, reportFault, type Guarded, byteAt } from '@sluice/base';
import { ecn } from '../connection/ack-tracker.ts';
import type {
  ConnectionHost,
  ConnectionOptions,
  ConnectionUser,
  QuicConnection,
} from '../connection/connection-host.ts';
import type { ConnectionLog } from '../connection/connection-log.ts';
import { Connection, type ReceivedDatagram } from '../connection/connection.ts';
import type { CipherProvider } from '../crypto/protection.ts';
import { retryTag } from '../crypto/retry-tag.ts';
import type { TlsSession } from '../crypto/tls-session.ts';
import { granularity } from '../recovery/rtt.ts';
import type { PeerAddress } from '../wire/address.ts';
import { ByteReader } from '../wire/byte-reader.ts';
import {
  headerResult,
  localIdLength,
  LongHeader,
  minInitialDatagram,
  readLongHeader,
  tagLength,
} from '../wire/packet-header.ts';
import { packetType, version1, type Version } from '../wire/version.ts';
import { AddressTokens } from './address-tokens.ts';
import { systemClock, type Clock } from './clock.ts';
import { DatagramBatch, type DatagramTransport } from './datagram-batch.ts';
import { resetTokenOf, retry, statelessReset, versionNegotiation } from './stateless-packets.ts';
import { Timers } from './timers.ts';

/** A client that starts a handshake. */
export interface Incoming {
  readonly address: PeerAddress;
  readonly version: Version;
  /** Destination connection ID of the client's first packet. Both sides use it to identify the connection. */
  readonly destination: Buffer;
}

export interface Accepted {
  readonly user: ConnectionUser;
  /** Creates the TLS session with the given transport parameters. */
  readonly tls: (parameters: Buffer) => TlsSession;
  readonly log?: ConnectionLog | null;
  /** Receives the connection before the handshake, which allows the user to close it early. */
  readonly begun?: (connection: QuicConnection) => void;
}

/** Owner of a connection: thread and process. Each part is one byte. */
interface Route {
  readonly thread: number;
  readonly tag: number;
}

export interface Acceptor {
  /** Returns the settings for accepting a client. Returns `null` to ignore the client silently. */
  accept(incoming: Incoming): Accepted | null;
}

export interface EndpointOptions {
  readonly transport: DatagramTransport;
  readonly ciphers: CipherProvider;
  readonly connections: ConnectionOptions;
  /** Accepts incoming connections. `null` for a client-only endpoint. */
  readonly acceptor: Acceptor | null;
  /** Keys of 32 bytes, shared by all threads and processes that may receive packets of a connection. */
  readonly resetKey: Buffer;
  readonly tokenKey: Buffer;
  /** First two bytes of the connection IDs that this endpoint issues. They identify the owner if several threads or processes share a port. */
  readonly route?: Route;
  /** Forwards a datagram with an unknown connection ID to its owner. Returns false if the owner doesn't exist. */
  readonly forward?: (route: Route, datagram: Buffer, from: ReceivedDatagram) => boolean;
  /** If more handshakes than this are in progress, clients must first validate their address (RFC 9000 §8.1.2). */
  readonly retryAbove?: number;
  readonly maxConnections?: number;
  /** Memory for datagrams, of at least 64 KiB. */
  readonly memory?: Buffer;
  readonly clock?: Clock;
}

/** Maximum number of stateless packets per second. Limited because anyone can trigger them. */
const maxStateless = 1000;
/** Returns the last byte of an issued connection ID. It distinguishes issued IDs from random ones. The byte is not a secret. */
function routeCheck(bytes: Buffer, at: number): number {
  let check = 0x5c;
  for (let i = at; i < at + localIdLength - 1; i++) check ^= byteAt(bytes, i);
  return check;
}

const noRoute: Route = { thread: 0, tag: 0 };
/** Offset of the destination connection ID in a long header. */
const longIdAt = 6;
const header = new LongHeader();
const reader = new ByteReader();

export class Endpoint implements ConnectionHost, Guarded {
  readonly output: DatagramBatch;
  readonly ciphers: CipherProvider;
  readonly #clock: Clock;
  readonly #options: EndpointOptions;
  readonly #transport: DatagramTransport;
  readonly #tokens: AddressTokens;
  readonly #byId = new Map<string, Connection>();
  /** Random destination connection IDs from the clients' first packets. */
  readonly #initialIds = new Map<Connection, string>();
  readonly #connections = new Set<Connection>();
  readonly #timers = new Timers<Connection>();
  #woken: Connection[] = [];
  #receiving = false;
  #cancelTurn: (() => void) | null = null;
  #cancelTimer: (() => void) | null = null;
  #timerAt = Number.POSITIVE_INFINITY;
  #stateless = 0;
  #statelessSecond = 0;
  #closed = false;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#transport = options.transport;
    this.ciphers = options.ciphers;
    this.#clock = options.clock ?? systemClock;
    this.output = new DatagramBatch(options.transport, options.memory ?? Buffer.allocUnsafeSlow(1 << 17));
    this.#tokens = new AddressTokens(options.tokenKey);
  }

  now(): number {
    return this.#clock.now();
  }

  /** Number of connections, including those that are closing. */
  get size(): number {
    return this.#connections.size;
  }

  connect(
    address: PeerAddress,
    user: ConnectionUser,
    { tls, version = version1, token }: { tls: (parameters: Buffer) => TlsSession; version?: Version; token?: Buffer },
  ): Connection {
    const destination = randomBytes(localIdLength);
    const connection = new Connection(this, user, this.#options.connections, {
      isServer: false,
      version,
      address,
      originalDestination: destination,
      peerId: destination,
      retrySource: null,
      validated: true,
      tls,
      log: null,
    });
    if (token !== undefined) connection.token = token;
    this.#connections.add(connection);
    connection.begin(this.now());
    return connection;
  }

  /** Processes the datagram in `bytes[start..end)`. Overwrites the bytes. */
  receive(bytes: Buffer, start: number, end: number, datagram: ReceivedDatagram): void {
    if (end - start < 1 + localIdLength || this.#closed) return;
    this.#receiving = true;
    try {
      if ((byteAt(bytes, start) & 0x80) === 0) this.#short(bytes, start, end, datagram);
      else this.#long(bytes, start, end, datagram);
    } catch (error) {
      this.fault(error);
    } finally {
      this.#receiving = false;
    }
    if (this.#woken.length > 0) this.#soon();
  }

  #short(bytes: Buffer, start: number, end: number, datagram: ReceivedDatagram): void {
    const id = bytes.toString('latin1', start + 1, start + 1 + localIdLength);
    const connection = this.#byId.get(id);
    if (connection === undefined) {
      this.#unknown(bytes, start, end, datagram);
      return;
    }
    connection.countReceived(end - start);
    this.#shortTo(connection, bytes, { start, end }, datagram);
  }

  #shortTo(
    connection: Connection,
    bytes: Buffer,
    { start, end }: { start: number; end: number },
    datagram: ReceivedDatagram,
  ): void {
    const tail = end - start >= 21 && !connection.isServer ? bytes.subarray(end - 16, end) : null;
    if (tail !== null && connection.peerIds.isReset(tail)) connection.resetByPeer();
    else connection.receiveShort(bytes, start, end, datagram);
  }

  /**
   * Handles a packet with a short header and an unknown connection ID. The packet belongs to another thread, or to a process that has
   * exited.
   */
  #unknown(bytes: Buffer, start: number, end: number, datagram: ReceivedDatagram): void {
    if (this.#forwarded(bytes, start, end, { idAt: start + 1, datagram })) return;
    const { resetKey } = this.#options;
    const { address } = datagram;
    // Compare the token with those of all client connections. A server that has lost its state sends a stateless reset, and client
    // connection IDs contain no route.
    for (const connection of this.#connections) {
      if (connection.isServer || end - start < 21) continue;
      if (connection.peerIds.isReset(bytes.subarray(end - 16, end))) {
        connection.resetByPeer();
        return;
      }
    }
    const id = bytes.subarray(start + 1, start + 1 + localIdLength);
    const reset = this.#options.acceptor === null ? null : statelessReset(resetKey, id, end - start);
    if (reset !== null) this.#sendStateless(reset, address);
  }

  /** Forwards a datagram to the owner identified by its connection ID. Returns true if the owner exists. */
  #forwarded(
    bytes: Buffer,
    start: number,
    end: number,
    { idAt, datagram }: { readonly idAt: number; readonly datagram: ReceivedDatagram },
  ): boolean {
    const { route = noRoute, forward } = this.#options;
    const thread = byteAt(bytes, idAt);
    const tag = byteAt(bytes, idAt + 1);
    if (forward === undefined || (thread === route.thread && tag === route.tag)) return false;
    // A client's first packets have a random connection ID, which must not be mistaken for a route to a missing thread.
    if (routeCheck(bytes, idAt) !== byteAt(bytes, idAt + localIdLength - 1)) return false;
    return forward({ thread, tag }, Buffer.from(bytes.subarray(start, end)), datagram);
  }

  #long(bytes: Buffer, start: number, end: number, datagram: ReceivedDatagram): void {
    const size = end - start;
    let at = start;
    let counted = false;
    while (at < end) {
      if ((byteAt(bytes, at) & 0x80) === 0) {
        // The last packet in a datagram may have a short header (RFC 9000 §12.2).
        const connection = this.#byId.get(bytes.toString('latin1', at + 1, at + 1 + localIdLength));
        if (connection !== undefined && end - at > localIdLength)
          this.#shortTo(connection, bytes, { start: at, end }, datagram);
        return;
      }
      const result = readLongHeader(reader.reset(bytes, at, end), header);
      if (result === headerResult.unknownVersion && size >= minInitialDatagram && this.#options.acceptor !== null)
        this.#sendStateless(versionNegotiation(header), datagram.address);
      if (result === headerResult.versionNegotiation) this.#versionsOffered();
      if (result !== headerResult.packet) return;
      const known = this.#byId.get(header.destination.toString('latin1'));
      if (known === undefined && at === start && header.destination.length === localIdLength) {
        const idAt = start + longIdAt;
        if (this.#forwarded(bytes, start, end, { idAt, datagram })) return;
      }
      const connection = known ?? this.#accept(size, datagram);
      if (connection === null) return;
      if (!counted) connection.countReceived(size);
      counted = true;
      const next = header.end;
      if (header.type === packetType.retry) this.#retried(connection, bytes, at);
      else connection.receiveLong(bytes, at, header, datagram);
      // Drop the connection, so that datagrams of random bytes don't occupy memory.
      if (known === undefined && !connection.hasReceived) {
        connection.drop();
        return;
      }
      if (connection.hasEarlyPackets) this.#readEarly(connection, datagram);
      at = next;
    }
  }

  /** Drops a client connection if the server doesn't support its QUIC version. */
  #versionsOffered(): void {
    const connection = this.#byId.get(header.destination.toString('latin1'));
    if (connection === undefined || connection.isServer || connection.complete) return;
    const offered: number[] = [];
    while (reader.left >= 4) offered.push(reader.uint32());
    // Ignore a list that contains the requested version, because it is forged or outdated (RFC 9000 §6.2).
    if (!offered.includes(connection.version.number)) connection.drop();
  }

  #retried(connection: Connection, bytes: Buffer, start: number): void {
    const { version, source, token, numberAt } = header;
    if (version === null || version !== connection.version) return;
    const expected = retryTag(version, connection.originalDestination, bytes.subarray(start, numberAt));
    if (expected.equals(bytes.subarray(numberAt, numberAt + tagLength))) connection.receiveRetry(source, token);
  }

  #readEarly(connection: Connection, datagram: ReceivedDatagram): void {
    for (const packet of connection.takeEarlyPackets()) {
      if ((byteAt(packet, 0) & 0x80) === 0) connection.receiveShort(packet, 0, packet.length, datagram);
      else if (readLongHeader(reader.reset(packet, 0, packet.length), header) === headerResult.packet)
        connection.receiveLong(packet, 0, header, datagram);
    }
  }

  #accept(size: number, { address }: ReceivedDatagram): Connection | null {
    const {
      acceptor,
      maxConnections = Number.POSITIVE_INFINITY,
      retryAbove = Number.POSITIVE_INFINITY,
    } = this.#options;
    const { version, type, destination, source, token } = header;
    if (acceptor === null || version === null || type !== packetType.initial) return null;
    // Check the requirements for a client's first datagram (RFC 9000 §14.1, §7.2).
    if (size < minInitialDatagram || destination.length < 8 || this.size >= maxConnections) return null;
    const content =
      token.length > 0 ? (this.#tokens.open(address.key, token) ?? this.#tokens.open(address.host, token)) : null;
    if (content === null && this.#initialIds.size >= retryAbove) {
      this.#sendRetry(version, address);
      return null;
    }
    const original = content?.originalDestination ?? null;
    const id = Buffer.from(destination);
    const accepted = acceptor.accept({ address, version, destination: original ?? id });
    if (accepted === null) return null;
    const connection = new Connection(this, accepted.user, this.#options.connections, {
      isServer: true,
      version,
      address,
      originalDestination: original ?? id,
      peerId: Buffer.from(source),
      retrySource: original === null ? null : id,
      validated: content !== null,
      tls: accepted.tls,
      log: accepted.log ?? null,
    });
    const key = id.toString('latin1');
    this.#byId.set(key, connection);
    this.#initialIds.set(connection, key);
    this.#connections.add(connection);
    accepted.begun?.(connection);
    connection.begin(this.now());
    return connection;
  }

  #sendRetry(version: Version, address: PeerAddress): void {
    const id = this.#newId();
    const token = this.#tokens.seal(address.key, header.destination);
    this.#sendStateless(retry(version, header, id, token), address);
  }

  #sendStateless(packet: Buffer, to: PeerAddress): void {
    const second = Math.floor(this.now() / 1000);
    if (second !== this.#statelessSecond) {
      this.#statelessSecond = second;
      this.#stateless = 0;
    }
    if (++this.#stateless > maxStateless) return;
    this.#transport.send({
      bytes: packet,
      start: 0,
      end: packet.length,
      segment: packet.length,
      to,
      codepoint: ecn.notEct,
    });
  }

  // Callbacks of connections

  issue(owner: object): { readonly id: Buffer; readonly resetToken: Buffer } {
    const id = this.#newId();
    this.#byId.set(id.toString('latin1'), owner as Connection);
    return { id, resetToken: resetTokenOf(this.#options.resetKey, id) };
  }

  #newId(): Buffer {
    const id = randomBytes(localIdLength);
    const { thread, tag } = this.#options.route ?? noRoute;
    id[0] = thread;
    id[1] = tag;
    id[localIdLength - 1] = routeCheck(id, 0);
    return id;
  }

  retire(id: Buffer): void {
    this.#byId.delete(id.toString('latin1'));
  }

  wake(connection: Connection): void {
    if (connection.confirmed) this.#forgetInitialId(connection);
    if (connection.woken) return;
    connection.woken = true;
    this.#woken.push(connection);
    if (!this.#receiving) this.#soon();
  }

  #forgetInitialId(connection: Connection): void {
    const key = this.#initialIds.get(connection);
    if (key === undefined) return;
    this.#initialIds.delete(connection);
    if (this.#byId.get(key) === connection) this.#byId.delete(key);
  }

  watch(connection: Connection, deadline: number): void {
    // Use a time in the future. Otherwise, a deadline that doesn't advance could block the event loop.
    this.#timers.watch(connection, Math.max(deadline, this.now() + granularity));
    this.#arm();
  }

  removed(connection: Connection): void {
    this.#forgetInitialId(connection);
    this.#timers.delete(connection);
    this.#connections.delete(connection);
  }

  tokenFor(address: PeerAddress): Buffer | null {
    return this.#options.acceptor === null ? null : this.#tokens.seal(address.host, null);
  }

  // Flush

  /** Sends pending data of all connections. Must be called after each batch of datagrams. */
  flush(): void {
    this.#cancelTurn?.();
    this.#cancelTurn = null;
    const woken = this.#woken;
    this.#woken = [];
    const now = this.now();
    for (const connection of woken) {
      connection.woken = false;
      this.#guarded(connection, () => connection.flush(now));
    }
    this.output.flush();
    if (this.#woken.length > 0) this.#soon();
  }

  #soon(): void {
    this.#cancelTurn ??= this.#clock.soon(() => this.flush());
  }

  #arm(): void {
    const { next } = this.#timers;
    if (next >= this.#timerAt) return;
    this.#cancelTimer?.();
    this.#timerAt = next;
    this.#cancelTimer = this.#clock.at(next, () => this.#expire());
  }

  #expire(): void {
    this.#cancelTimer = null;
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = this.now();
    for (let each = this.#timers.due(now); each !== null; each = this.#timers.due(now)) {
      const connection = each;
      this.#guarded(connection, () => connection.expire(now));
      if (!each.isOver && each.deadline !== Number.POSITIVE_INFINITY) this.watch(each, each.deadline);
    }
    this.output.flush();
    if (this.#woken.length > 0) this.#soon();
    if (this.#timers.next !== Number.POSITIVE_INFINITY) this.#arm();
  }

  #guarded(connection: Connection, work: () => void): void {
    try {
      work();
    } catch (error) {
      failOwner(connection.user, error);
      connection.drop();
    }
  }

  /** Handles a failure that doesn't belong to a known connection. */
  fault(error: unknown): void {
    reportFault({ part: 'connection', error });
  }

  /** Drops all connections without notifying the peers, and stops accepting datagrams. */
  close(): void {
    this.#closed = true;
    for (const connection of [...this.#connections]) connection.drop();
    this.#cancelTurn?.();
    this.#cancelTimer?.();
    this.#cancelTurn = this.#cancelTimer = null;
    this.output.flush();
  }
}
