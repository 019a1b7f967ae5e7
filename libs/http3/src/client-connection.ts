/**
 * Client side of HTTP/3 on one QUIC connection (RFC 9114), which sends requests. This code uses no timers. The caller is responsible for
 * closing idle connections.
 */
import { failOwner, type Guarded } from '@sluice/base';
import { PeerBudgets } from '@sluice/http2';
import type { CloseReason, ConnectionUser, QuicConnection, QuicStream } from '@sluice/quic';
import { ConnectionEnd } from './connection-end.ts';
import { Http3ClientStream, type ClientStreamHost, type ResponseOwner } from './client-stream.ts';
import { h3Error, Http3Error } from './error-code.ts';
import { setting } from './frame.ts';
import { ProtocolStreams, type ProtocolHost } from './protocol-streams.ts';
import { ResponseFields, type ResponseLimits } from './response-fields.ts';

/** User of an HTTP/3 client connection. An exception in a method ends the connection. */
export interface Http3ClientUser extends Guarded {
  readonly responseLimits: ResponseLimits;
  /** Called when the handshake is complete and the server has been verified. Requests may be sent from now on. */
  onConnected(): void;
  /** Called when the server's HTTP/3 settings have arrived. */
  onSettings(): void;
  /** Called when the server allows more concurrent requests. */
  onStreamLimit(): void;
  /** Called after a request has completed, failed or been cancelled. */
  onStreamClosed(): void;
  /** Called if the server accepts no more requests. Requests in flight continue. */
  onGoAway(): void;
  /** Called once, as the last callback, when the connection has ended. */
  onClosed(reason: CloseReason): void;
}

export class Http3ClientConnection implements ConnectionUser, ClientStreamHost, ProtocolHost {
  readonly isServer = false;
  readonly streams = new Map<number, Http3ClientStream>();
  quic: QuicConnection | null = null;
  readonly #user: Http3ClientUser;
  readonly #budgets = new PeerBudgets();
  readonly #protocol = new ProtocolStreams(this, this.#budgets);
  /** True if the server supports extended CONNECT (RFC 9220). */
  #hasConnect = false;
  #goingAway = false;
  readonly #end = new ConnectionEnd(this);

  constructor(user: Http3ClientUser) {
    this.#user = user;
  }

  get over(): boolean {
    return this.#end.over;
  }

  /** True if requests may be sent. */
  get usable(): boolean {
    return !this.#end.over && !this.#goingAway && this.quic !== null;
  }

  get hasSettings(): boolean {
    return this.#protocol.hasSettings;
  }

  get hasConnect(): boolean {
    return this.#hasConnect;
  }

  get maxFieldBytes(): number {
    return this.#user.responseLimits.bytes;
  }

  /**
   * Starts a request. `fields` alternates lowercase names and Latin-1 values. Returns `null` if the server currently allows no more
   * concurrent requests. In that case, {@link Http3ClientUser.onStreamLimit} or {@link Http3ClientUser.onStreamClosed} is called later.
   */
  request(owner: ResponseOwner, fields: readonly string[], isHead: boolean): Http3ClientStream | null {
    const quic = this.quic?.openStream(true) ?? null;
    if (quic === null) return null;
    quic.incremental = true;
    const stream = new Http3ClientStream(this, quic, owner, isHead);
    this.streams.set(stream.id, stream);
    this.#budgets.idles.earn(10);
    stream.begin(fields);
    return stream;
  }

  // QUIC callbacks

  onReady(connection: QuicConnection): void {
    this.quic = connection;
    this.#protocol.open(connection, this.maxFieldBytes);
  }

  onHandshakeComplete(): void {
    this.#user.onConnected();
  }

  onStream(quic: QuicStream): void {
    if ((quic.id & 2) === 0) this.end(h3Error.streamCreationError, 'server opened a bidirectional stream');
    else this.#protocol.accept(quic);
  }

  onStreamLimit(): void {
    this.#user.onStreamLimit();
  }

  onClosed(reason: CloseReason): void {
    this.#end.over = true;
    const kind = reason.by === 'timeout' ? 'unresponsive' : 'lost';
    for (const stream of [...this.streams.values()])
      stream.failWith(kind, `the connection was closed: ${reasonOf(reason)}`);
    this.#user.onClosed(reason);
  }

  fault(error: unknown): void {
    failOwner(this.#user, error);
    this.end(h3Error.internalError);
  }

  // Requests

  decode(stream: Http3ClientStream, section: Buffer, trailers: boolean): ResponseFields | null {
    const fields = new ResponseFields(this.#user.responseLimits, { trailers, bodiless: stream.isHead });
    return this.#protocol.decode(stream.id, section, fields) ? fields : null;
  }

  encode(stream: Http3ClientStream, fields: readonly string[]): Buffer {
    return this.#protocol.encode(stream.id, fields);
  }

  closed(stream: Http3ClientStream): void {
    this.streams.delete(stream.id);
    if (stream.blocked && !this.#end.over) this.#protocol.cancelled(stream.id);
    this.#user.onStreamClosed();
  }

  // Control stream

  onSettings(settings: ReadonlyMap<number, number>): void {
    this.#hasConnect = settings.get(setting.enableConnectProtocol) === 1;
    this.#user.onSettings();
  }

  /**
   * Handles GOAWAY. The server has not processed requests whose ID is equal to or greater than the ID in the frame. They may be retried
   * (RFC 9114 §5.2).
   */
  onGoAway(id: number): void {
    if (id % 4 !== 0) throw new Http3Error(h3Error.idError, 'GOAWAY does not refer to a request stream');
    this.#goingAway = true;
    for (const stream of [...this.streams.values()])
      if (stream.id >= id) stream.failWith('rejected', 'the upstream is shutting down');
    this.#user.onGoAway();
  }

  onPriorityUpdate(): void {}

  onAbuse(reason: string): void {
    this.end(h3Error.excessiveLoad, reason);
  }

  /** Closes the connection immediately. `code` is an HTTP/3 error code. */
  end(code: number, reason = ''): void {
    this.#end.with(code, reason);
  }

  /** Handles a connection error (RFC 9114 §8). */
  fail(error: unknown): void {
    this.#end.after(error);
  }
}

/** Formats the reason why a connection ended, for logs. */
export function reasonOf({ by, code, reason }: CloseReason): string {
  if (by === 'timeout') return 'the peer did not respond';
  if (by === 'reset') return 'the peer has lost the connection state';
  return reason === '' ? `error code 0x${code.toString(16)}` : reason;
}
