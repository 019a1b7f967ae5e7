/**
 * The server's side of a connection (RFC 9113): takes frames, keeps the states of streams, and gives requests to its
 * handler. What it sends is in `outbound.ts`. It knows no sockets and no time: who runs it closes what is idle or slow.
 */
import { failOwner, type Guarded } from '@sluice/base';
import { Budget } from './budget.ts';
import { errorCode } from './error-code.ts';
import { FrameReader, type Frame, type FrameTaker } from './frame-reader.ts';
import { defaultWindow, frameFlag, frameType, largestWindow, readUint32, setting } from './frame.ts';
import { HeaderBlock } from './header-block.ts';
import { HpackDecoder } from './hpack/decoder.ts';
import { Outbound, type OutboundWatch } from './outbound.ts';
import { setPriority } from './priority.ts';
import { RequestFields, type FieldLimits } from './request-fields.ts';
import { applySettings, type PeerSettings } from './settings.ts';
import { StreamTable } from './stream-table.ts';
import { Http2Stream, type StreamHost } from './stream.ts';
import type { Transport } from './transport.ts';

/** What a server allows. */
export interface ServerOptions {
  /** Streams at a time. */
  readonly maxStreams: number;
  /** Bytes of a body that a stream, and all streams together, may send ahead of whoever reads them. */
  readonly streamWindow: number;
  readonly connectionWindow: number;
}

/** Who serves the requests of a connection. What its methods throw ends the connection. */
export interface ServerHandler extends Guarded {
  /** Limits of the fields of a request that has begun. */
  readonly fieldLimits: FieldLimits;
  /** A request: sets the owner of its stream. `ended`: it has no body. */
  onRequest(stream: Http2Stream, fields: RequestFields, ended: boolean): void;
  /** A stream was closed, after its owner was told. */
  onStreamClosed(): void;
  /** The connection is given up, and closed when its last frame is written: who runs it sees to it that this does not take long. */
  onEnding(): void;
  /** The connection was given up for something that its client has done; it ends by itself. */
  onAbuse(reason: string): void;
}

/** The largest id, of which a GOAWAY says that none is refused yet (RFC 9113 §6.8). */
const anyStream = largestWindow;
/** Streams that were reset by clients, or refused: so many at once, and a second. */
const resetBurst = 1000;
const resetsPerSecond = 33;
/** Streams that break the protocol, and have us reset what was begun for them. */
const violationBurst = 100;
const violationsPerSecond = 10;
/** Frames that bring nothing: settings, pings, empty data, priorities, and what streams get that are closed. */
const idleBurst = 10_000;
const idlesPerSecond = 100;
/** Ids of streams that we have reset and of which frames may still come. */
const rememberedResets = 64;

/** One connection. */
export class ServerConnection implements FrameTaker, OutboundWatch, StreamHost {
  readonly streams: StreamTable = new StreamTable();
  readonly outbound: Outbound;
  readonly #transport: Transport;
  readonly #handler: ServerHandler;
  readonly #options: ServerOptions;
  readonly #reader: FrameReader = new FrameReader(this, true);
  readonly #decoder = new HpackDecoder();
  readonly #resets = new Budget(resetBurst, resetsPerSecond);
  readonly #violations = new Budget(violationBurst, violationsPerSecond);
  readonly #idles = new Budget(idleBurst, idlesPerSecond);
  readonly #peer: PeerSettings = { initialWindow: defaultWindow };
  /** The block that has begun; frames of others may not come between (RFC 9113 §4.3). */
  #block: HeaderBlock | null = null;
  #hasSettings = false;
  /** The largest id of a stream of the client. */
  #lastId = 0;
  /** The largest id that is served, once GOAWAY has said so. */
  #lastServed = anyStream;
  #closing = false;
  #over = false;
  #receiveLeft: number;
  #unannounced = 0;
  /** The last ids that we have reset, in turn. */
  readonly #reset = new Int32Array(rememberedResets);
  #resetCount = 0;

  constructor(transport: Transport, handler: ServerHandler, options: ServerOptions) {
    this.#transport = transport;
    this.#handler = handler;
    this.#options = options;
    this.#receiveLeft = options.connectionWindow;
    this.outbound = new Outbound(transport, this);
    this.#announce();
  }

  /** Whether nothing more is read or sent. */
  get over(): boolean {
    return this.#over;
  }

  /** Takes `bytes[0..end)` of the client. They may be overwritten afterwards. */
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

  /** The transport is closed, by whichever side: nothing is left of the streams afterwards. */
  lost(): void {
    this.#over = true;
    this.outbound.drop();
    this.#closeStreams();
  }

  #closeStreams(): void {
    for (const stream of [...this.streams]) this.#close(stream, errorCode.cancel);
  }

  /**
   * Ends the connection without losing a request: says that it will end, so that the client sends no more (RFC 9113 §6.8).
   * When the client has heard, by what it answers, or after {@link finishShutdown}, streams that are open are served.
   */
  shutdown(): void {
    if (this.#closing || this.#over) return;
    this.#closing = true;
    this.#goAway(anyStream, errorCode.noError);
    const ping = this.outbound.control(8, frameType.ping, 0, 0);
    ping.uint32(0);
    ping.uint32(0);
  }

  /** The second step of {@link shutdown}: no new streams from now on. */
  finishShutdown(): void {
    if (this.#lastServed !== anyStream || this.#over) return;
    this.#closing = true;
    this.#lastServed = this.#lastId;
    this.#goAway(this.#lastId, errorCode.noError);
    this.#endIfDone();
  }

  // Frames

  frame(frame: Frame): boolean {
    const { type } = frame;
    if (this.#block !== null && (type !== frameType.continuation || frame.stream !== this.#block.stream))
      return this.#fail(errorCode.protocolError);
    if (!this.#hasSettings && type !== frameType.settings) return this.#fail(errorCode.protocolError);
    switch (type) {
      case frameType.headers:
        return this.#headers(frame);
      case frameType.data:
        return this.#data(frame);
      case frameType.windowUpdate:
        return this.#windowUpdate(frame);
      case frameType.settings:
        return this.#settings(frame);
      case frameType.reset:
        return this.#resetByPeer(frame);
      case frameType.ping:
        return this.#ping(frame);
      case frameType.continuation:
        return this.#continuation(frame);
      case frameType.priority:
        return this.#priority(frame);
      case frameType.priorityUpdate:
        return this.#priorityUpdate(frame);
      case frameType.goAway:
        return this.#goAwayOfPeer(frame);
      case frameType.pushPromise:
        return this.#fail(errorCode.protocolError);
      default:
        return this.#idle();
    }
  }

  wrongPreface(): void {
    this.#fail(errorCode.protocolError);
  }

  frameTooLarge(): void {
    this.#fail(errorCode.frameSizeError);
  }

  // Requests

  #headers(frame: Frame): boolean {
    const { stream, flags, bytes } = frame;
    let { at, end } = frame;
    if (stream === 0 || (stream & 1) === 0) return this.#fail(errorCode.protocolError);
    if ((flags & frameFlag.padded) !== 0) {
      end -= bytes[at++] as number;
      if (end < at) return this.#fail(errorCode.protocolError);
    }
    if ((flags & frameFlag.priority) !== 0) {
      if (end - at < 5) return this.#fail(errorCode.frameSizeError);
      if ((readUint32(bytes, at) & largestWindow) === stream) return this.#fail(errorCode.protocolError);
      at += 5;
    }
    if ((flags & frameFlag.endHeaders) !== 0) return this.#fields(frame, at, end);
    const { fieldLimits } = this.#handler;
    this.#block = new HeaderBlock(stream, flags, fieldLimits.bytes);
    return this.#block.add(frame, at, end) || this.#abuse('a field block is too long');
  }

  #continuation(frame: Frame): boolean {
    const block = this.#block;
    if (block === null) return this.#fail(errorCode.protocolError);
    if (!block.add(frame, frame.at, frame.end)) return this.#abuse('a field block is too long');
    if ((frame.flags & frameFlag.endHeaders) === 0) return true;
    this.#block = null;
    const bytes = block.join();
    return this.#fields({ ...frame, stream: block.stream, flags: block.flags, bytes }, 0, bytes.length);
  }

  /** A whole block: the head of a request, or its trailers. */
  #fields({ stream: id, flags, bytes }: Frame, at: number, end: number): boolean {
    const isNew = id > this.#lastId;
    const fields = new RequestFields(this.#handler.fieldLimits, !isNew);
    // Blocks are read whoever they are for: the table of the client counts on it.
    if (!this.#decoder.decode(bytes, at, end, fields)) return this.#fail(errorCode.compressionError);
    const ends = (flags & frameFlag.endStream) !== 0;
    if (!isNew) return this.#trailers(id, fields, ends);
    this.#lastId = id;
    if (id > this.#lastServed) return true;
    if (!fields.complete || (ends && fields.contentLength > 0)) return this.#refuse(id, errorCode.protocolError);
    if (this.streams.size >= this.#options.maxStreams) return this.#refuse(id, errorCode.refusedStream);
    this.#begin(id, fields, ends);
    return !this.#over;
  }

  #begin(id: number, fields: RequestFields, ends: boolean): void {
    const stream = new Http2Stream(this, id, this.#options.streamWindow, this.#peer.initialWindow);
    stream.remoteEnded = ends;
    stream.contentLength = fields.contentLength;
    if (fields.priority !== '') setPriority(stream, fields.priority);
    this.streams.add(stream);
    this.#idles.earn(10);
    try {
      this.#handler.onRequest(stream, fields, ends);
    } catch (error) {
      failOwner(this.#handler, error);
    }
  }

  #trailers(id: number, fields: RequestFields, ends: boolean): boolean {
    const stream = this.streams.find(id);
    if (stream === null) return this.#wasReset(id) ? this.#idle() : this.#fail(errorCode.streamClosed);
    if (stream.remoteEnded) return this.#resetStream(stream, errorCode.streamClosed);
    if (!ends || fields.malformed || fields.tooLarge) return this.#resetStream(stream, errorCode.protocolError);
    return this.#ends(stream, fields);
  }

  #data(frame: Frame): boolean {
    const { stream: id, bytes, flags } = frame;
    const size = frame.end - frame.at;
    let { at, end } = frame;
    if (id === 0 || id > this.#lastId) return this.#fail(errorCode.protocolError);
    if ((flags & frameFlag.padded) !== 0) {
      if (size === 0) return this.#fail(errorCode.frameSizeError);
      end -= bytes[at++] as number;
      if (end < at) return this.#fail(errorCode.protocolError);
    }
    this.#receiveLeft -= size;
    if (this.#receiveLeft < 0) return this.#fail(errorCode.flowControlError);
    const stream = this.streams.find(id);
    if (stream === null) {
      this.#creditConnection(size);
      if (!this.#idle()) return false;
      if (!this.#wasReset(id)) this.#sendReset(id, errorCode.streamClosed);
      return true;
    }
    stream.uncredited += size;
    if (stream.remoteEnded) return this.#resetStream(stream, errorCode.streamClosed);
    stream.receiveLeft -= size;
    if (stream.receiveLeft < 0) return this.#resetStream(stream, errorCode.flowControlError);
    const length = end - at;
    stream.received += length;
    if (stream.contentLength >= 0 && stream.received > stream.contentLength)
      return this.#resetStream(stream, errorCode.protocolError);
    if (size > length) this.credit(stream, size - length);
    const ends = (flags & frameFlag.endStream) !== 0;
    if (length > 0) this.#deliver(stream, bytes.subarray(at, end));
    else if (!ends && !this.#idle()) return false;
    return ends && !stream.closed ? this.#ends(stream, null) : !this.#over;
  }

  #deliver(stream: Http2Stream, piece: Buffer): void {
    const { owner } = stream;
    if (owner === null) {
      this.credit(stream, piece.length);
      return;
    }
    try {
      owner.onData(piece);
    } catch (error) {
      failOwner(owner, error);
    }
  }

  /** The body of a stream is complete. */
  #ends(stream: Http2Stream, trailers: RequestFields | null): boolean {
    if (stream.contentLength >= 0 && stream.received !== stream.contentLength)
      return this.#resetStream(stream, errorCode.protocolError);
    stream.remoteEnded = true;
    const { owner } = stream;
    try {
      owner?.onEnd(trailers === null || trailers.headers.size === 0 ? null : trailers.headers);
    } catch (error) {
      if (owner !== null) failOwner(owner, error);
    }
    if (stream.localEnded) this.#close(stream, errorCode.noError);
    return !this.#over;
  }

  // Flow control

  #windowUpdate({ stream: id, bytes, at, end }: Frame): boolean {
    if (end - at !== 4) return this.#fail(errorCode.frameSizeError);
    const increment = readUint32(bytes, at) & largestWindow;
    if (id === 0) {
      if (increment === 0) return this.#fail(errorCode.protocolError);
      this.outbound.window += increment;
      return this.outbound.window <= largestWindow ? this.#idle() : this.#fail(errorCode.flowControlError);
    }
    if (id > this.#lastId) return this.#fail(errorCode.protocolError);
    const stream = this.streams.find(id);
    if (stream === null) return this.#idle();
    if (increment === 0) return this.#resetStream(stream, errorCode.protocolError);
    stream.sendWindow += increment;
    if (stream.sendWindow > largestWindow) return this.#resetStream(stream, errorCode.flowControlError);
    this.outbound.ready(stream);
    return this.#idle();
  }

  /** Bytes of a body were used. */
  credit(stream: Http2Stream, bytes: number): void {
    if (stream.closed) return;
    stream.uncredited -= bytes;
    this.#creditConnection(bytes);
    if (stream.remoteEnded) return;
    stream.unannounced += bytes;
    if (stream.unannounced < this.#options.streamWindow / 4) return;
    stream.receiveLeft += stream.unannounced;
    this.outbound.control(4, frameType.windowUpdate, 0, stream.id).uint32(stream.unannounced);
    stream.unannounced = 0;
  }

  #creditConnection(bytes: number): void {
    this.#unannounced += bytes;
    if (this.#over || this.#unannounced < this.#options.connectionWindow / 8) return;
    this.#receiveLeft += this.#unannounced;
    this.outbound.control(4, frameType.windowUpdate, 0, 0).uint32(this.#unannounced);
    this.#unannounced = 0;
  }

  // Settings and the rest

  #settings(frame: Frame): boolean {
    const { stream, flags, at, end } = frame;
    if (stream !== 0) return this.#fail(errorCode.protocolError);
    if ((flags & frameFlag.ack) !== 0) return end === at ? this.#idle() : this.#fail(errorCode.frameSizeError);
    this.#hasSettings = true;
    const before = this.#peer.initialWindow;
    const code = applySettings(frame, this.#peer, this.outbound.encoder);
    if (code !== errorCode.noError) return this.#fail(code);
    const more = this.#peer.initialWindow - before;
    if (more !== 0 && !this.#moveWindows(more)) return this.#fail(errorCode.flowControlError);
    this.outbound.control(0, frameType.settings, frameFlag.ack, 0);
    return this.#idle();
  }

  #moveWindows(more: number): boolean {
    for (const stream of this.streams) {
      stream.sendWindow += more;
      if (stream.sendWindow > largestWindow) return false;
      this.outbound.ready(stream);
    }
    return true;
  }

  #ping({ stream, flags, bytes, at, end }: Frame): boolean {
    if (stream !== 0) return this.#fail(errorCode.protocolError);
    if (end - at !== 8) return this.#fail(errorCode.frameSizeError);
    if ((flags & frameFlag.ack) !== 0) {
      // The client has read the first GOAWAY.
      if (this.#closing) this.finishShutdown();
      return this.#idle();
    }
    const pong = this.outbound.control(8, frameType.ping, frameFlag.ack, 0);
    pong.uint32(readUint32(bytes, at));
    pong.uint32(readUint32(bytes, at + 4));
    return this.#idle();
  }

  #priority({ stream, bytes, at, end }: Frame): boolean {
    if (stream === 0) return this.#fail(errorCode.protocolError);
    const open = this.streams.find(stream);
    const isWrong = end - at !== 5;
    if (isWrong || (readUint32(bytes, at) & largestWindow) === stream) {
      const code = isWrong ? errorCode.frameSizeError : errorCode.protocolError;
      if (open !== null) return this.#resetStream(open, code);
      if (stream > this.#lastId) return this.#fail(code);
    }
    return this.#idle();
  }

  /** RFC 9218 §7.1. Of streams that are not open it is ignored, which is allowed. */
  #priorityUpdate({ stream, bytes, at, end }: Frame): boolean {
    if (stream !== 0) return this.#fail(errorCode.protocolError);
    if (end - at < 4) return this.#fail(errorCode.frameSizeError);
    const found = this.streams.find(readUint32(bytes, at) & largestWindow);
    if (found !== null) setPriority(found, bytes.toString('latin1', at + 4, Math.min(end, at + 68)));
    return this.#idle();
  }

  #resetByPeer({ stream: id, bytes, at, end }: Frame): boolean {
    if (end - at !== 4) return this.#fail(errorCode.frameSizeError);
    if (id === 0 || id > this.#lastId) return this.#fail(errorCode.protocolError);
    const stream = this.streams.find(id);
    if (stream === null) return this.#idle();
    this.#close(stream, readUint32(bytes, at));
    return this.#resets.take() || this.#abuse('too many streams are reset');
  }

  #goAwayOfPeer({ stream, at, end }: Frame): boolean {
    if (stream !== 0) return this.#fail(errorCode.protocolError);
    if (end - at < 8) return this.#fail(errorCode.frameSizeError);
    this.finishShutdown();
    return this.#idle();
  }

  /** A frame that brings nothing. */
  #idle(): boolean {
    if (this.#over) return false;
    return this.#idles.take() || this.#abuse('too many frames that bring nothing');
  }

  // Endings

  ready(stream: Http2Stream): void {
    this.outbound.ready(stream);
  }

  reset(stream: Http2Stream, code: number): void {
    if (stream.closed || this.#over) return;
    this.#remember(stream.id);
    this.#sendReset(stream.id, code);
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
    this.#handler.onAbuse('control frames are asked for and not read');
    this.lost();
    this.#transport.destroy();
  }

  /** A stream broke a rule: it ends, and the connection goes on (RFC 9113 §5.4.2). */
  #resetStream(stream: Http2Stream, code: number): boolean {
    this.reset(stream, code);
    return this.#violations.take() || this.#abuse('too many streams break the protocol');
  }

  /** A request that is not served. */
  #refuse(id: number, code: number): boolean {
    this.#remember(id);
    this.#sendReset(id, code);
    return this.#resets.take() || this.#abuse('too many streams are refused');
  }

  #sendReset(id: number, code: number): void {
    this.outbound.control(4, frameType.reset, 0, id).uint32(code);
  }

  #remember(id: number): void {
    this.#reset[this.#resetCount++ % rememberedResets] = id;
  }

  #wasReset(id: number): boolean {
    return this.#reset.includes(id);
  }

  #close(stream: Http2Stream, code: number): void {
    if (stream.closed) return;
    stream.closed = true;
    this.streams.delete(stream);
    stream.drop();
    const held = stream.uncredited;
    if (held > 0) this.#creditConnection(held);
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
    if (this.#lastServed !== anyStream && this.streams.size === 0 && !this.#over) this.outbound.end();
  }

  /** The client wastes our time on purpose. */
  #abuse(reason: string): boolean {
    this.#handler.onAbuse(reason);
    return this.#fail(errorCode.enhanceYourCalm);
  }

  /** An error of the connection (RFC 9113 §5.4.1). */
  #fail(code: number): boolean {
    if (this.#over) return false;
    this.#goAway(this.#lastId, code);
    this.#over = true;
    this.#closeStreams();
    this.outbound.endNow();
    this.#handler.onEnding();
    return false;
  }

  #goAway(lastId: number, code: number): void {
    const goAway = this.outbound.control(8, frameType.goAway, 0, 0);
    goAway.uint32(lastId);
    goAway.uint32(code);
  }

  #announce(): void {
    const { maxStreams, streamWindow, connectionWindow } = this.#options;
    const settings: readonly (readonly [id: number, value: number])[] = [
      [setting.maxConcurrentStreams, maxStreams],
      [setting.initialWindowSize, streamWindow],
      [setting.maxHeaderListSize, this.#handler.fieldLimits.bytes],
      [setting.enableConnectProtocol, 1],
      [setting.noRfc7540Priorities, 1],
    ];
    const output = this.outbound.control(settings.length * 6, frameType.settings, 0, 0);
    for (const [id, value] of settings) {
      output.uint16(id);
      output.uint32(value);
    }
    this.outbound.control(4, frameType.windowUpdate, 0, 0).uint32(connectionWindow - defaultWindow);
  }
}
