/**
 * Server side of an HTTP/2 connection (RFC 9113). Receives frames, tracks stream states, and passes requests to the handler. `outbound.ts`
 * sends the output. This code uses neither sockets nor timers. The caller is responsible for closing idle and slow connections.
 */
import { failOwner } from '@sluice/base';
import { Bodies, type BodyHost } from './bodies.ts';
import { PeerBudgets } from './budget.ts';
import { ControlFrames, type ControlHost } from './control-frames.ts';
import { sendGoAway, sendReset } from './endings.ts';
import { errorCode } from './error-code.ts';
import { FieldBlocks, partial, whole } from './field-blocks.ts';
import { FrameReader, type Frame, type FrameTaker } from './frame-reader.ts';
import { frameFlag, frameType, largestWindow, readUint32 } from './frame.ts';
import { HpackDecoder } from './hpack/decoder.ts';
import { Outbound, type OutboundWatch } from './outbound.ts';
import { setPriority } from './priority.ts';
import { RequestFields } from './request-fields.ts';
import { ResetIds } from './reset-ids.ts';
import type { ServerHandler } from './server-handler.ts';
import { advertise, type ServerOptions } from './settings.ts';
import { StreamTable } from './stream-table.ts';
import { Http2Stream, type StreamHost } from './stream.ts';
import type { ConnectionTransport } from './transport.ts';

/** Last stream ID for a GOAWAY frame that doesn't refuse any requests (RFC 9113 §6.8). */
const anyStream = largestWindow;

export class ServerConnection implements FrameTaker, OutboundWatch, StreamHost, BodyHost, ControlHost {
  readonly streams: StreamTable = new StreamTable();
  readonly outbound: Outbound;
  readonly #transport: ConnectionTransport;
  readonly #handler: ServerHandler;
  readonly #options: ServerOptions;
  readonly #reader: FrameReader = new FrameReader(this, true);
  readonly #decoder = new HpackDecoder();
  readonly #budgets = new PeerBudgets();
  readonly #blocks = new FieldBlocks();
  readonly #control: ControlFrames = new ControlFrames(this);
  readonly #bodies: Bodies;
  readonly #resetIds = new ResetIds();
  lastId = 0;
  /** Highest stream ID that the server processes; {@link anyStream} until shutdown begins. */
  #lastServed = anyStream;
  #closing = false;
  /** True after the final GOAWAY of a graceful shutdown has been sent. */
  #finished = false;
  #over = false;

  constructor(transport: ConnectionTransport, handler: ServerHandler, options: ServerOptions) {
    this.#transport = transport;
    this.#handler = handler;
    this.#options = options;
    this.outbound = new Outbound(transport, this);
    this.#bodies = new Bodies(this, options);
    advertise(this.outbound, options, handler.fieldLimits.bytes);
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** True if the connection has ended in both directions. */
  get over(): boolean {
    return this.#over;
  }

  /** Processes `bytes[0..end)` received from the client. The caller may overwrite the buffer afterwards. */
  read(bytes: Buffer, end: number): void {
    if (this.#over) return;
    const { outbound } = this;
    outbound.held = true;
    try {
      this.#reader.read(bytes, end);
    } finally {
      outbound.held = false;
    }
    outbound.flush();
  }

  /** Called when either side has closed the transport. Closes all streams. */
  lost(): void {
    this.#over = true;
    this.outbound.drop();
    this.#closeStreams();
  }

  #closeStreams(): void {
    for (const stream of [...this.streams]) this.#close(stream, errorCode.cancel);
  }

  /**
   * Begins a graceful shutdown by sending GOAWAY (RFC 9113 §6.8). The caller must call {@link finishShutdown} after one round trip or one
   * second. A PING can't measure the round trip. After GOAWAY, some clients (hyper-h2) fail requests in flight if they receive any
   * connection frame.
   */
  shutdown(): void {
    if (this.#closing || this.#over) return;
    this.#closing = true;
    sendGoAway(this.outbound, anyStream, errorCode.noError);
  }

  /**
   * Holds new streams without informing the client. {@link finishShutdown} later refuses these streams, and clients retry them on another
   * connection.
   */
  holdNewStreams(): void {
    if (this.#lastServed === anyStream) this.#lastServed = this.lastId;
  }

  /** True while new streams are held or refused. */
  get holds(): boolean {
    return this.#lastServed !== anyStream;
  }

  /** Completes a {@link shutdown} by refusing new streams. */
  finishShutdown(): void {
    if (this.#finished || this.#over) return;
    this.#closing = true;
    this.#finished = true;
    this.holdNewStreams();
    sendGoAway(this.outbound, this.#lastServed, errorCode.noError);
    this.#endIfDone();
  }

  frame(frame: Frame): boolean {
    const code = this.#take(frame);
    if (code !== errorCode.noError) this.#fail(code);
    return !this.#over;
  }

  unreadable(code: number): void {
    this.#fail(code);
  }

  // The methods below return a connection error code, or `noError`.

  #take(frame: Frame): number {
    const { type } = frame;
    const blocks = this.#blocks;
    const isOutOfPlace = blocks.pending && (type !== frameType.continuation || frame.stream !== blocks.stream);
    if (isOutOfPlace || (!this.#control.begun && type !== frameType.settings)) return errorCode.protocolError;
    switch (type) {
      case frameType.headers:
        return this.#block(blocks.headers(frame, this.#handler.fieldLimits.bytes));
      case frameType.data:
        return this.#bodies.data(frame);
      case frameType.continuation:
        return this.#block(blocks.continuation(frame, this.#handler.fieldLimits.bytes));
      case frameType.reset:
        return this.#resetByPeer(frame);
      default:
        return this.#control.take(frame) || this.idles();
    }
  }

  /** Handles a fragment of a field block, or a complete block with a request head or trailers. */
  #block(state: number): number {
    if (state === partial) return errorCode.noError;
    if (state === errorCode.enhanceYourCalm) return this.#abuse('field block is too long');
    if (state !== whole) return state;
    const { stream: id, flags, bytes, at, end } = this.#blocks;
    const isNew = id > this.lastId;
    const fields = new RequestFields(this.#handler.fieldLimits, !isNew);
    // Always decode field blocks, because they update the HPACK state.
    if (!this.#decoder.decode(bytes, at, end, fields)) return errorCode.compressionError;
    const ends = (flags & frameFlag.endStream) !== 0;
    if (!isNew) return this.#trailers(id, fields, ends);
    this.lastId = id;
    if (id > this.#lastServed) return this.idles();
    if (!fields.complete || (ends && fields.contentLength > 0)) return this.#refuse(id, errorCode.protocolError);
    if (this.streams.size >= this.#options.maxStreams) return this.#refuse(id, errorCode.refusedStream);
    this.#begin(id, fields, ends);
    return errorCode.noError;
  }

  #begin(id: number, fields: RequestFields, ends: boolean): void {
    const stream = new Http2Stream(this, id, this.#options.streamWindow, this.#control.initialWindow);
    stream.remoteEnded = ends;
    stream.contentLength = fields.contentLength;
    if (fields.priority !== '') setPriority(stream, fields.priority);
    this.streams.add(stream);
    this.#budgets.idles.earn(10);
    try {
      this.#handler.onRequest(stream, fields);
    } catch (error) {
      failOwner(this.#handler, error);
    }
  }

  #trailers(id: number, fields: RequestFields, ends: boolean): number {
    const stream = this.streams.find(id);
    if (stream === null) return this.#resetIds.has(id) || id > this.#lastServed ? this.idles() : errorCode.streamClosed;
    if (stream.remoteEnded) return this.violates(stream, errorCode.streamClosed);
    if (!ends || fields.malformed || fields.tooLarge) return this.violates(stream, errorCode.protocolError);
    return this.#bodies.end(stream, fields.headers);
  }

  #resetByPeer({ stream: id, bytes, at, end }: Frame): number {
    if (end - at !== 4) return errorCode.frameSizeError;
    if (id === 0 || id > this.lastId) return errorCode.protocolError;
    const stream = this.streams.find(id);
    if (stream === null) return this.idles();
    this.#close(stream, readUint32(bytes, at));
    return this.#budgets.resets.take() ? errorCode.noError : this.#abuse('too many streams were reset');
  }

  #refuse(id: number, code: number): number {
    this.#resetIds.add(id);
    sendReset(this.outbound, id, code);
    return this.#budgets.resets.take() ? errorCode.noError : this.#abuse('too many streams were refused');
  }

  violates(stream: Http2Stream, code: number): number {
    // Handles a stream error. The connection continues unless errors are too frequent (RFC 9113 §5.4.2).
    this.reset(stream, code);
    return this.#budgets.violations.take() ? errorCode.noError : this.#abuse('too many stream errors');
  }

  late(id: number): number {
    if (!this.#resetIds.has(id) && id <= this.#lastServed) sendReset(this.outbound, id, errorCode.streamClosed);
    return this.idles();
  }

  idles(): number {
    const { outbound } = this;
    if (outbound.earned > 0) {
      this.#budgets.idles.earn(outbound.earned);
      outbound.earned = 0;
    }
    return this.#budgets.idles.take() ? errorCode.noError : this.#abuse('too many empty frames');
  }

  /** Closes the connection because of abusive client behavior. */
  #abuse(reason: string): number {
    this.#handler.onAbuse(reason);
    return errorCode.enhanceYourCalm;
  }

  // Closing

  ready(stream: Http2Stream): void {
    this.outbound.ready(stream);
  }

  credit(stream: Http2Stream, bytes: number): void {
    this.#bodies.credit(stream, bytes);
  }

  completed(stream: Http2Stream): void {
    this.#close(stream, errorCode.noError);
  }

  reset(stream: Http2Stream, code: number): void {
    if (stream.closed || this.#over) return;
    this.#resetIds.add(stream.id);
    sendReset(this.outbound, stream.id, code);
    this.#close(stream, code);
  }

  stop(stream: Http2Stream): void {
    if (stream.remoteEnded) return;
    stream.stopping = true;
    if (stream.localEnded) this.reset(stream, errorCode.noError);
  }

  sentLast(stream: Http2Stream): void {
    if (stream.remoteEnded) this.#close(stream, errorCode.noError);
    else if (stream.stopping) this.reset(stream, errorCode.noError);
  }

  flooded(): void {
    if (this.#over) return;
    this.#handler.onAbuse('client requests control frames but does not read them');
    this.lost();
    this.#transport.destroy();
  }

  #close(stream: Http2Stream, code: number): void {
    if (stream.closed) return;
    stream.closed = true;
    this.streams.delete(stream);
    this.outbound.forget(stream);
    stream.drop();
    this.#bodies.release(stream);
    const { owner } = stream;
    try {
      owner?.onClose(code);
    } catch (error) {
      if (owner !== null) failOwner(owner, error);
    }
    this.#handler.onStreamClosed();
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#finished && this.streams.size === 0 && !this.#over) this.outbound.end();
  }

  /** Handles a connection error (RFC 9113 §5.4.1). */
  #fail(code: number): void {
    if (this.#over) return;
    sendGoAway(this.outbound, this.lastId, code);
    this.#over = true;
    this.#closeStreams();
    this.outbound.endNow();
    this.#handler.onEnding();
  }
}
