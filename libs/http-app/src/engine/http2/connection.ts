/** One HTTP/2 connection: a session of node:http2, its streams run as exchanges. */
import http2, { type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { failOwner, guarded, reportFault, runGuarded, type Guarded } from '@sluice/base';
import type { EngineConnection, EngineHost } from '../engine-host.ts';
import type { SocketFacts } from '../facts.ts';
import { keepBehindStreamErrors } from './frame-errors.ts';
import { readHead } from './head.ts';
import { Http2Exchange } from './stream.ts';
import { fullWindow, Unread } from './unread.ts';
import { Unsent } from './unsent.ts';

const never = Number.POSITIVE_INFINITY;
const streamWindow = 1024 * 1024;
/** Streams at a time, as the reference allows. */
const maxStreams = 250;
/** How long a client may take to close after the last frame, in milliseconds. */
const lingerTime = 2000;
/** How often to look for responses that have ended and are not sent, in milliseconds. */
const longestSweepInterval = 1000;

/** A connection of the HTTP/2 engine. */
export class Http2Connection implements EngineConnection, Guarded {
  deadline = never;
  readonly #host: EngineHost;
  readonly #socket: Duplex;
  readonly #facts: SocketFacts;
  readonly #session: ServerHttp2Session;
  readonly #streams = new Set<Http2Exchange>();
  readonly #unread: Unread;
  readonly #unsent: Unsent = new Unsent(() => {
    this.#host.reportCut(
      this.#facts,
      'it does not take its responses, and all together hold too much for their clients',
    );
    this.cut();
  });
  #idleDeadline = never;
  /** When the socket is cut, as all is said. */
  #lingerDeadline = never;
  /** When to look for responses that are not sent; Infinity while there are no streams. */
  #sweepAt = never;

  private constructor(host: EngineHost, socket: Duplex, facts: SocketFacts, session: ServerHttp2Session) {
    this.#host = host;
    this.#socket = socket;
    this.#facts = facts;
    this.#session = session;
    this.#unread = new Unread(session);
    keepBehindStreamErrors(session, this.#unread);
  }

  /** Serves HTTP/2 on a socket; `head` is what was read of it already. */
  static start(host: EngineHost, socket: Duplex, facts: SocketFacts, head: Buffer | null): void {
    if (head !== null) socket.unshift(head);
    const session = http2.performServerHandshake(socket, {
      settings: {
        maxConcurrentStreams: maxStreams,
        initialWindowSize: streamWindow,
        maxHeaderListSize: host.target.limits.maxHeaderBytes,
        enableConnectProtocol: true,
      },
      maxHeaderListPairs: 2000,
      // What a client may waste: frames without sense, pings that wait for a response, streams opened to be reset.
      maxSessionInvalidFrames: 100,
      maxSessionRejectedStreams: 100,
      maxOutstandingPings: 10,
      streamResetBurst: 1000,
      streamResetRate: 33,
    });
    new Http2Connection(host, socket, facts, session).#listen();
  }

  #listen(): void {
    const session = this.#session;
    session.once(
      'connect',
      guarded(this, () => session.setLocalWindowSize(fullWindow)),
    );
    session.on(
      'stream',
      guarded(this, (stream: ServerHttp2Stream, _headers: unknown, _flags: number, raw: string[]) =>
        this.#accept(stream, raw),
      ),
    );
    session.on(
      'error',
      guarded(this, (error: Error) => this.#broken(error)),
    );
    session.on(
      'close',
      guarded(this, () => this.#closed()),
    );
    const socket = this.#socket;
    socket.on('error', ignore);
    // Behind its last frame the session waits for the client to close the connection.
    socket.on('finish', guarded(this, this.#linger));
    // A client that sends no more gives no window and closes no stream: it is gone. The session does not look for this.
    socket.on(
      'end',
      guarded(this, () => this.cut()),
    );
    this.#host.add(this);
    this.#setIdle(this.#host.target.limits.readHeaderTimeout);
  }

  #accept(stream: ServerHttp2Stream, raw: readonly string[]): void {
    stream.on('error', ignore);
    const server = this.#host.target;
    const head = readHead(raw, server.limits.keptHeaders);
    if (typeof head === 'number') {
      stream.respond({ ':status': head }, { endStream: true });
      return;
    }
    if (!stream.endAfterHeaders) this.#unread.watch(stream, this);
    const exchange = new Http2Exchange(stream, head, { facts: this.#facts, unsent: this.#unsent, server });
    this.#streams.add(exchange);
    this.#unsent.streams = this.#streams.size;
    exchange.onDeadline = this.#onDeadline;
    this.#idleDeadline = never;
    if (this.#sweepAt === never) {
      this.#sweepAt = performance.now() + this.#sweepInterval();
      this.#watchUntil(this.#sweepAt);
    }
    this.#watchUntil(exchange.deadline);
    stream.on('close', () => this.#streamClosed(exchange));
    exchange.run(server);
  }

  /** Node has ended the session: for frames without sense, for instance. A client that only goes is not worth a word. */
  #broken(error: Error): void {
    const isOfHttp2 = 'code' in error && typeof error.code === 'string' && error.code.startsWith('ERR_HTTP2');
    if (isOfHttp2) this.#host.reportCut(this.#facts, `HTTP/2: ${error.message}`);
  }

  /** A callback of the session has thrown; those of streams are owned by their exchanges. */
  fault(error: unknown): void {
    reportFault({ part: 'connection', error });
    this.cut();
  }

  /** Guarded here and not where it is registered: there is one for each request. */
  #streamClosed(exchange: Http2Exchange): void {
    try {
      exchange.closed();
    } catch (error) {
      failOwner(exchange, error);
    }
    try {
      this.#forget(exchange);
    } catch (error) {
      failOwner(this, error);
    }
  }

  #forget(exchange: Http2Exchange): void {
    this.#streams.delete(exchange);
    this.#unsent.streams = this.#streams.size;
    if (this.#streams.size === 0) this.#setIdle(this.#host.target.limits.idleTimeout);
  }

  readonly #linger = (): void => {
    if (this.#lingerDeadline !== never || this.#socket.destroyed) return;
    this.#lingerDeadline = performance.now() + lingerTime;
    this.#deadlinesChanged();
  };

  #setIdle(timeout: number): void {
    this.#idleDeadline = timeout > 0 ? performance.now() + timeout : never;
    this.#watchUntil(this.#idleDeadline);
  }

  readonly #onDeadline = (exchange: Http2Exchange): void => this.#watchUntil(exchange.deadline);

  /** There may be an earlier deadline. One that is later now is found when the earlier one is over. */
  #watchUntil(deadline: number): void {
    if (deadline >= this.deadline) return;
    this.deadline = deadline;
    this.#host.watch(deadline);
  }

  /** Finds the earliest deadline again, after some of them are over. */
  #deadlinesChanged(): void {
    let next = Math.min(this.#idleDeadline, this.#lingerDeadline, this.#sweepAt);
    for (const { deadline } of this.#streams) if (deadline < next) next = deadline;
    this.deadline = next;
    if (next !== never) this.#host.watch(next);
  }

  #sweepInterval(): number {
    const { timeout } = this.#host.target.limits.writePace;
    return timeout > 0 && timeout < longestSweepInterval ? timeout : longestSweepInterval;
  }

  /** Looks for responses that have ended and are not sent. */
  #sweep(now: number): void {
    if (this.#sweepAt > now) return;
    for (const exchange of this.#streams) exchange.lookAfterUnsent();
    this.#sweepAt = this.#streams.size > 0 ? now + this.#sweepInterval() : never;
  }

  expire(now: number): void {
    if (this.#lingerDeadline <= now) {
      this.cut();
      return;
    }
    if (this.#idleDeadline <= now) {
      this.#idleDeadline = never;
      this.#session.close();
    }
    for (const exchange of this.#streams) runGuarded(exchange, () => exchange.expire(now));
    this.#sweep(now);
    this.#deadlinesChanged();
  }

  retire(): void {
    // Sends GOAWAY; streams that run are finished (RFC 9113 §6.8).
    this.#session.close();
  }

  finish(): void {
    for (const exchange of this.#streams)
      if (!exchange.hasEnded) {
        this.cut();
        return;
      }
    if (this.#unsent.held === 0) this.cut();
  }

  cut(): void {
    this.#session.destroy();
    this.#socket.destroy();
  }

  #closed(): void {
    this.deadline = this.#idleDeadline = this.#lingerDeadline = this.#sweepAt = never;
    this.#host.delete(this);
  }
}

function ignore(): void {}
