/**
 * Server side of HTTP/3 on one QUIC connection (RFC 9114), which passes requests to the handler. This code uses no timers. The caller is
 * responsible for closing idle and slow connections.
 */
import { failOwner, type Guarded } from '@sluice/base';
import { PeerBudgets, RequestFields, setPriority, type FieldLimits } from '@sluice/http2';
import type { CloseReason, ConnectionUser, QuicConnection, QuicStream } from '@sluice/quic';
import { ConnectionEnd } from './connection-end.ts';
import { h3Error, Http3Error } from './error-code.ts';
import { integerAt } from './frame.ts';
import { ProtocolStreams, type ProtocolHost } from './protocol-streams.ts';
import { Http3Stream, type StreamHost } from './stream.ts';

/** Handler of an HTTP/3 connection's requests. An exception in a method ends the connection. */
export interface Http3Handler extends Guarded {
  readonly fieldLimits: FieldLimits;
  /** Called when the handshake is complete and client certificates have been verified. */
  onHandshakeComplete(): void;
  /** Handles a request and sets the owner of its stream. For a request without a body, the client has already ended its side of the stream. */
  onRequest(stream: Http3Stream, fields: RequestFields): void;
  /** Called after a stream has closed and its owner was notified. */
  onStreamClosed(): void;
  /** Called when the connection is closed because of abusive client behavior. */
  onAbuse(reason: string): void;
  /** Called once, as the last callback, when the connection has ended. */
  onClosed(reason: CloseReason): void;
}

/** Stream ID for a GOAWAY frame that doesn't refuse any requests (RFC 9114 §5.2). */
const anyStream = 2 ** 52 - 4;
/** Maximum number of stored priorities for requests that have not started yet. */
const maxPriorities = 100;
/** Methods of requests that may be processed before the handshake is complete (RFC 9110 §9.2.1). Other requests wait. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

export class Http3ServerConnection implements ConnectionUser, StreamHost, ProtocolHost {
  readonly isServer = true;
  readonly streams = new Map<number, Http3Stream>();
  quic: QuicConnection | null = null;
  readonly #handler: Http3Handler;
  readonly #budgets = new PeerBudgets();
  readonly #protocol = new ProtocolStreams(this, this.#budgets);
  /** Lowest stream ID that the next request can have. */
  #nextId = 0;
  /** First stream ID for which requests are refused after GOAWAY. */
  #refusedFrom: number = anyStream;
  #closing = false;
  readonly #end = new ConnectionEnd(this);
  /** Priorities of requests that have not started yet (RFC 9218 §7.2). */
  readonly #priorities = new Map<number, string>();

  constructor(handler: Http3Handler) {
    this.#handler = handler;
  }

  get over(): boolean {
    return this.#end.over;
  }

  get maxFieldBytes(): number {
    return this.#handler.fieldLimits.bytes;
  }

  // QUIC callbacks

  onReady(connection: QuicConnection): void {
    this.quic = connection;
    this.#protocol.open(connection, this.maxFieldBytes);
  }

  onHandshakeComplete(): void {
    this.#handler.onHandshakeComplete();
    for (const stream of [...this.streams.values()]) if (stream.withheld !== null) stream.unblock();
  }

  onStream(quic: QuicStream): void {
    if ((quic.id & 2) !== 0) {
      this.#protocol.accept(quic);
      return;
    }
    if (quic.id >= this.#refusedFrom) {
      quic.reset(h3Error.requestRejected);
      quic.stopSending(h3Error.requestRejected);
      return;
    }
    this.#nextId = Math.max(this.#nextId, quic.id + 4);
    const stream = new Http3Stream(this, quic);
    quic.incremental = true;
    this.streams.set(stream.id, stream);
  }

  onStreamLimit(): void {}

  onClosed(reason: CloseReason): void {
    this.#end.over = true;
    for (const stream of [...this.streams.values()]) stream.close(h3Error.noError);
    this.#handler.onClosed(reason);
  }

  /** Handles an exception thrown in a callback. */
  fault(error: unknown): void {
    failOwner(this.#handler, error);
    this.end(h3Error.internalError);
  }

  // Requests

  decode(stream: Http3Stream, section: Buffer, isTrailers: boolean): RequestFields | null {
    const { withheld } = stream;
    if (withheld !== null) {
      if (this.#isEarly) return null;
      stream.withheld = null;
      return withheld;
    }
    const fields = new RequestFields(this.#handler.fieldLimits, isTrailers);
    if (!this.#protocol.decode(stream.id, section, fields)) return null;
    if (!this.#isEarly || isTrailers || !fields.complete || safeMethods.has(fields.method)) return fields;
    stream.withheld = fields;
    return null;
  }

  /** True until the handshake is complete. Requests received earlier may be replays (RFC 8470 §2). */
  get #isEarly(): boolean {
    return this.quic?.complete === false;
  }

  encode(stream: Http3Stream, fields: readonly string[]): Buffer {
    return this.#protocol.encode(stream.id, fields);
  }

  begin(stream: Http3Stream, fields: RequestFields): void {
    if (!fields.complete) {
      this.malformed(stream);
      return;
    }
    const priority = this.#priorities.get(stream.id) ?? fields.priority;
    this.#priorities.delete(stream.id);
    if (priority !== '') setPriority(stream, priority);
    this.#budgets.idles.earn(10);
    try {
      this.#handler.onRequest(stream, fields);
    } catch (error) {
      failOwner(this.#handler, error);
    }
  }

  malformed(stream: Http3Stream): void {
    stream.reset(h3Error.messageError);
    if (!this.#budgets.violations.take()) this.onAbuse('too many stream errors');
  }

  closed(stream: Http3Stream): void {
    this.streams.delete(stream.id);
    if (stream.blocked && !this.#end.over) this.#protocol.cancelled(stream.id);
    this.#handler.onStreamClosed();
    if (!stream.localEnded && !this.#end.over && !this.#budgets.resets.take())
      this.onAbuse('too many streams were reset');
    this.#endIfDone();
  }

  // Control stream

  onSettings(): void {}

  onGoAway(): void {}

  onPriorityUpdate(payload: Buffer): void {
    const id = integerAt(payload, 0);
    if (id === null) throw new Http3Error(h3Error.frameError, 'PRIORITY_UPDATE is truncated');
    if (id.value % 4 !== 0) throw new Http3Error(h3Error.idError, 'PRIORITY_UPDATE does not refer to a request stream');
    const value = payload.toString('latin1', id.end);
    const stream = this.streams.get(id.value);
    if (stream !== undefined) setPriority(stream, value);
    else if (id.value >= this.#nextId && this.#priorities.size < maxPriorities) this.#priorities.set(id.value, value);
  }

  // Closing

  /** Begins a graceful shutdown by sending GOAWAY (RFC 9114 §5.2). The server continues to serve requests until {@link finishShutdown}. */
  shutdown(): void {
    if (this.#closing || this.#end.over) return;
    this.#closing = true;
    this.#protocol.goAway(anyStream);
  }

  /** Completes a {@link shutdown} by refusing new requests. */
  finishShutdown(): void {
    if (this.#refusedFrom !== anyStream || this.#end.over) return;
    this.#closing = true;
    this.#refusedFrom = this.#nextId;
    this.#protocol.goAway(this.#nextId);
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#refusedFrom !== anyStream && this.streams.size === 0 && !this.#end.over && this.quic?.allSent === true)
      this.end(h3Error.noError);
  }

  /** Closes the connection immediately. `code` is an HTTP/3 error code. */
  end(code: number, reason = ''): void {
    this.#end.with(code, reason);
  }

  /** Handles a connection error (RFC 9114 §8). */
  fail(error: unknown): void {
    this.#end.after(error);
  }

  /** Closes the connection because of abusive client behavior. */
  onAbuse(reason: string): void {
    this.#handler.onAbuse(reason);
    this.end(h3Error.excessiveLoad, reason);
  }
}
