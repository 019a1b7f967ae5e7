/** An HTTP/2 connection. Each stream runs as an exchange. */
import type { Duplex } from 'node:stream';
import { failOwner, guarded, reportFault, runGuarded, itemAt } from '@sluice/base';
import {
  ServerConnection,
  type FieldLimits,
  type Http2Stream,
  type RequestFields,
  type ServerHandler,
} from '@sluice/http2';
import { isDirect } from '../direct-socket.ts';
import type { EngineConnection, EngineHost } from '../engine-host.ts';
import type { SocketFacts } from '../facts.ts';
import type { ServerHandle, ServerLimits } from '../server-handle.ts';
import { readHead } from './head.ts';
import { startTime } from '../turn-share.ts';
import { SocketTransport } from './socket-transport.ts';
import { Http2Exchange, type Http2Place } from './stream.ts';
import { Unsent } from './unsent.ts';

const never = Number.POSITIVE_INFINITY;
/** Maximum number of concurrent streams per connection, as in Caddy. */
const maxStreams = 250;
/** Flow-control window of each stream, in bytes. `connectionWindow` is the window of the entire connection. */
const streamWindow = 1024 * 1024;
const connectionWindow = 2 * 1024 * 1024;
/** Maximum number of header fields per request. */
const maxFields = 2000;
/** Maximum time to wait for the client to close the connection after the last frame, in milliseconds. */
const lingerTime = 2000;
/**
 * Time between the first and the second GOAWAY frame, in milliseconds. Requests that the client sent before it received the first GOAWAY
 * are still served.
 */
const shutdownTime = 1000;
/** Maximum time for which a closing connection holds new requests, in milliseconds. */
const holdTime = 3000;
/** Time without frames after which the connection assumes that the client is waiting for responses, in milliseconds. */
const quietTime = 100;
/** Maximum age, in milliseconds, of a request that is expected to finish within the time limit {@link holdTime}. */
const recentTime = 5000;
/** Maximum interval between checks for responses that have ended but have not been fully sent, in milliseconds. */
const maxSweepInterval = 1000;

/** A connection of the HTTP/2 engine. */
export class Http2Connection implements EngineConnection, ServerHandler, Http2Place {
  deadline = never;
  readonly facts: SocketFacts;
  readonly unsent: Unsent = new Unsent(() => {
    this.#host.reportCut(
      this.facts,
      'client does not read its responses, and unsent responses exceed the memory limit',
    );
    this.cut();
  });
  fieldLimits: FieldLimits;
  /** Server limits from which {@link fieldLimits} are derived. */
  #limits: ServerLimits;
  readonly #host: EngineHost;
  readonly #socket: Duplex;
  readonly #transport: SocketTransport;
  readonly #connection: ServerConnection;
  /** Start time of the current read, in milliseconds of `performance.now()`. */
  #readAt = 0;
  /** Requests that will start in a later event loop turn, each with its server; see {@link startTime}. */
  readonly #unstarted: { readonly exchange: Http2Exchange; readonly server: ServerHandle }[] = [];
  #idleDeadline = never;
  /** Deadline for sending a GOAWAY frame to the client. */
  #shutdownDeadline = never;
  /** Deadline for held requests. `Infinity` while new requests are served. */
  #holdDeadline = never;
  /** Deadline for closing the socket after everything has been sent. */
  #lingerDeadline = never;
  /** Time of the next check for unsent responses. `Infinity` if there are no streams. */
  #sweepAt = never;

  private constructor(host: EngineHost, socket: Duplex, facts: SocketFacts) {
    this.#host = host;
    this.#socket = socket;
    this.facts = facts;
    this.#limits = host.target.limits;
    this.fieldLimits = fieldLimitsOf(this.#limits);
    this.#transport = new SocketTransport(socket, this, {
      written: () => this.#connection.outbound.written(),
      failed: () => this.cut(),
    });
    this.#connection = new ServerConnection(this.#transport, this, { maxStreams, streamWindow, connectionWindow });
  }

  /** Serves HTTP/2 on a socket. `head` contains the bytes that have already been read. */
  static start(host: EngineHost, socket: Duplex, facts: SocketFacts, head: Buffer | null): void {
    new Http2Connection(host, socket, facts).#listen(head);
  }

  #listen(head: Buffer | null): void {
    const socket = this.#socket;
    const onData = (chunk: Buffer): void => this.#read(chunk, chunk.length);
    socket.on('error', ignore);
    socket.on(
      'close',
      guarded(this, () => this.#closed()),
    );
    // The client is expected to close the connection after the last frame.
    socket.on(
      'finish',
      guarded(this, () => this.#linger()),
    );
    // A client that has closed its side can neither extend windows nor reset streams, so treat it as disconnected.
    socket.on(
      'end',
      guarded(this, () => this.cut()),
    );
    this.#host.add(this);
    this.#setIdle(this.#host.target.limits.readHeaderTimeout);
    if (this.#host.retired) this.retire();
    if (head !== null) this.#read(head, head.length);
    if (isDirect(socket)) {
      if (socket.readableLength > 0) onData(socket.read() as Buffer);
      socket.directReader = (bytes, end) => this.#read(bytes, end);
    } else socket.on('data', onData);
    socket.resume();
    this.#connection.outbound.flush();
  }

  /** Called for each read. Catches exceptions itself, to avoid creating a closure for each read. */
  #read(bytes: Buffer, end: number): void {
    this.#readAt = performance.now();
    try {
      this.#connection.read(bytes, end);
      if (this.#holdDeadline !== never) this.#endWhenQuiet();
    } catch (error) {
      failOwner(this, error);
    }
  }

  onRequest(stream: Http2Stream, fields: RequestFields): void {
    const { limits } = this.#host.target;
    if (limits !== this.#limits) {
      this.#limits = limits;
      this.fieldLimits = fieldLimitsOf(limits);
    }
    const head = readHead(fields, limits.keptHeaders, 'HTTP/2.0');
    if (typeof head === 'number') {
      stream.respond([':status', String(head)], true);
      stream.stop();
      return;
    }
    const server = this.#host.serverFor(head, this.facts);
    const exchange = new Http2Exchange(stream, head, this, server);
    stream.owner = exchange;
    this.unsent.streams = this.#connection.streams.size;
    this.#idleDeadline = never;
    if (this.#sweepAt === never) {
      this.#sweepAt = performance.now() + this.#sweepInterval();
      this.watchUntil(this.#sweepAt);
    }
    this.watchUntil(exchange.deadline);
    if (this.#unstarted.length === 0 && exchange.startedAt - this.#readAt < startTime) exchange.run(server);
    else this.#startLater(exchange, server);
  }

  #startLater(exchange: Http2Exchange, server: ServerHandle): void {
    if (this.#unstarted.length === 0) setImmediate(this.#startSome);
    this.#unstarted.push({ exchange, server });
  }

  readonly #startSome = guarded(this, () => {
    const unstarted = this.#unstarted;
    const end = performance.now() + startTime;
    let started = 0;
    while (started < unstarted.length && performance.now() < end) {
      const { exchange, server } = itemAt(unstarted, started++);
      exchange.run(server);
    }
    unstarted.splice(0, started);
    if (unstarted.length > 0) setImmediate(this.#startSome);
  });

  onStreamClosed(): void {
    const { size } = this.#connection.streams;
    this.unsent.streams = size;
    if (size > 0) return;
    this.#setIdle(this.#host.target.limits.idleTimeout);
    if (this.#holdDeadline !== never) this.#endWhenQuiet();
    // Send GOAWAY together with the last response. A client that waits for this response has no other requests in flight.
    else if (this.#host.retired) this.#connection.finishShutdown();
  }

  onEnding(): void {
    this.#linger();
  }

  onAbuse(reason: string): void {
    this.#host.reportCut(this.facts, `HTTP/2: ${reason}`);
  }

  /** Handles an exception in a connection callback. Streams handle exceptions in their own callbacks. */
  fault(error: unknown): void {
    reportFault({ part: 'connection', error });
    this.cut();
  }

  #linger(): void {
    if (this.#lingerDeadline !== never || this.#socket.destroyed) return;
    this.#lingerDeadline = performance.now() + lingerTime;
    this.watchUntil(this.#lingerDeadline);
  }

  #setIdle(timeout: number): void {
    this.#idleDeadline = timeout > 0 ? performance.now() + timeout : never;
    this.watchUntil(this.#idleDeadline);
  }

  /** Registers a deadline. If an earlier deadline was postponed, the timer may still fire for that deadline. In this case, it is set again. */
  watchUntil(deadline: number): void {
    if (deadline >= this.deadline) return;
    this.deadline = deadline;
    this.#host.watch(deadline);
  }

  /** Recomputes the earliest deadline after some deadlines have expired. */
  #deadlinesChanged(): void {
    let next = Math.min(this.#idleDeadline, this.#shutdownDeadline, this.#lingerDeadline, this.#sweepAt);
    for (const exchange of this.#exchanges()) if (exchange.deadline < next) next = exchange.deadline;
    this.deadline = next;
    if (next !== never) this.#host.watch(next);
  }

  *#exchanges(): IterableIterator<Http2Exchange> {
    for (const { owner } of this.#connection.streams) if (owner instanceof Http2Exchange) yield owner;
  }

  #sweepInterval(): number {
    const { timeout } = this.#host.target.limits.writePace;
    return timeout > 0 && timeout < maxSweepInterval ? timeout : maxSweepInterval;
  }

  /** Starts deadlines for responses that have ended but have not been fully sent. */
  #sweep(now: number): void {
    if (this.#sweepAt > now) return;
    for (const exchange of this.#exchanges()) exchange.lookAfterUnsent();
    this.#sweepAt = this.#connection.streams.size > 0 ? now + this.#sweepInterval() : never;
  }

  expire(now: number): void {
    if (this.#lingerDeadline <= now) {
      this.cut();
      return;
    }
    if (this.#idleDeadline <= now) {
      this.#idleDeadline = never;
      this.#connection.finishShutdown();
      // Don't send GOAWAY, because a client that is not reading would not receive it.
      this.#linger();
    }
    if (this.#shutdownDeadline <= now) {
      this.#shutdownDeadline = never;
      const connection = this.#connection;
      if (connection.closing || connection.holds) connection.finishShutdown();
      else if (this.#servesOnlyShort(now)) this.#hold();
      else {
        connection.shutdown();
        this.#shutdownDeadline = now + shutdownTime;
      }
    }
    for (const exchange of [...this.#exchanges()]) runGuarded(exchange, () => exchange.expire(now));
    this.#sweep(now);
    this.#deadlinesChanged();
  }

  /** Reports whether all requests in flight are recent and therefore expected to finish soon. */
  #servesOnlyShort(now: number): boolean {
    for (const exchange of this.#exchanges()) if (now - exchange.startedAt > recentTime) return false;
    return true;
  }

  /**
   * Closes the connection gracefully. On any GOAWAY, some clients fail their requests in flight: httpcore, undici, and java.net.http before
   * JDK 24 (JDK-8335181). GOAWAY is therefore sent with the last response. If the connection is never idle, new requests wait until that
   * response has been sent. If the response takes too long, the new requests are refused.
   */
  retire(): void {
    if (this.#connection.streams.size === 0) this.#connection.shutdown();
    this.#shutdownDeadline = performance.now() + shutdownTime;
    this.watchUntil(this.#shutdownDeadline);
  }

  #hold(): void {
    this.#connection.holdNewStreams();
    this.#holdDeadline = performance.now() + holdTime;
    this.#shutdownDeadline = this.#holdDeadline;
    this.watchUntil(this.#shutdownDeadline);
  }

  /**
   * Closes the connection after a short period without frames. By then, the client has sent all its pending requests and is waiting for the
   * responses.
   */
  #endWhenQuiet(): void {
    if (this.#connection.streams.size > 0) return;
    this.#shutdownDeadline = Math.min(performance.now() + quietTime, this.#holdDeadline);
    this.watchUntil(this.#shutdownDeadline);
  }

  finish(): void {
    for (const exchange of this.#exchanges())
      if (!exchange.hasEnded) {
        this.cut();
        return;
      }
    if (this.#connection.outbound.idle && this.unsent.held === 0) this.cut();
    else this.#connection.finishShutdown();
  }

  cut(): void {
    this.#connection.lost();
    this.#socket.destroy();
  }

  #closed(): void {
    this.#connection.lost();
    this.deadline = this.#idleDeadline = this.#shutdownDeadline = this.#lingerDeadline = this.#sweepAt = never;
    this.#holdDeadline = never;
    this.#host.delete(this);
  }
}

function fieldLimitsOf({ maxHeaderBytes, keptHeaders }: ServerLimits): FieldLimits {
  return { bytes: maxHeaderBytes, count: maxFields, kept: keptHeaders };
}

function ignore(): void {}
