/**
 * Server side of HTTP/3 on one QUIC connection (RFC 9114): control streams, settings, and requests, which are passed to the handler.
 * Independent of time: the caller closes idle and slow connections.
 */
import { failOwner, type Guarded, byteAt } from '@sluice/base';
import { PeerBudgets, RequestFields, setPriority, type FieldLimits } from '@sluice/http2';
import {
  isQuicError,
  type CloseReason,
  type ConnectionUser,
  type QuicConnection,
  type QuicStream,
  type StreamUser,
} from '@sluice/quic';
import { h3Error, Http3Error, isHttp3Error } from './error-code.ts';
import { FrameReader, take, type FrameTaker } from './frame-reader.ts';
import { frameBytes, frameType, integerBytes, reservedFrames, reservedSettings, setting, streamType } from './frame.ts';
import { PeerStream, type PeerStreamHost } from './peer-stream.ts';
import { decodeResult, maxBlockedStreams, QpackDecoder, tableCapacity } from './qpack/decoder.ts';
import { QpackEncoder } from './qpack/encoder.ts';
import { Http3Stream, type StreamHost } from './stream.ts';

/** Handles the requests of a connection. An exception in a method ends the connection. */
export interface Http3Handler extends Guarded {
  readonly fieldLimits: FieldLimits;
  /** Called when the handshake is complete and client certificates were verified. */
  onHandshakeComplete(): void;
  /** Handles a request, and sets the stream's owner. If there is no body, the client side has already ended. */
  onRequest(stream: Http3Stream, fields: RequestFields): void;
  /** Called after a stream was closed and its owner was notified. */
  onStreamClosed(): void;
  /** Called if the connection is ended because of abusive client behavior. */
  onAbuse(reason: string): void;
  /** Called once when the connection has ended, as the last callback. */
  onClosed(reason: CloseReason): void;
}

/** Maximum payload of a frame on a control stream, in bytes. */
const maxControlPayload = 4096;
/** ID in a GOAWAY frame that does not refuse requests yet (RFC 9114 §5.2). */
const anyStream = 2 ** 52 - 4;

/** An outgoing unidirectional stream. */
class OwnStream implements StreamUser {
  readonly #host: PeerStreamHost;

  constructor(host: PeerStreamHost) {
    this.#host = host;
  }

  onData(): void {}

  onEnd(): void {}

  onReset(): void {}

  /** Critical streams must not be closed (RFC 9114 §6.2.1, RFC 9204 §4.2). */
  onStopSending(): void {
    this.#host.fail(new Http3Error(h3Error.closedCriticalStream, 'peer rejected a critical stream'));
  }

  onRoom(): void {}

  onClosed(): void {}

  fault(error: unknown): void {
    failOwner(this.#host, error);
  }
}

export class Http3ServerConnection implements ConnectionUser, StreamHost, PeerStreamHost, FrameTaker {
  readonly streams = new Map<number, Http3Stream>();
  quic: QuicConnection | null = null;
  readonly #handler: Http3Handler;
  readonly #decoder = new QpackDecoder();
  readonly #encoder = new QpackEncoder();
  readonly #controlReader = new FrameReader(this);
  readonly #opened = new Set<number>();
  readonly #budgets = new PeerBudgets();
  readonly #ownStream = new OwnStream(this);
  #control: QuicStream | null = null;
  #encoderStream: QuicStream | null = null;
  #decoderStream: QuicStream | null = null;
  #hasSettings = false;
  /** IDs in the last GOAWAY frame and in the client's MAX_PUSH_ID frame. */
  #goawayId = Number.POSITIVE_INFINITY;
  #maxPush = 0;
  /** Number of table insertions that were acknowledged to the peer. */
  #acknowledgedInserts = 0;
  /** Smallest possible ID of the next request. */
  #nextId = 0;
  /** Requests with this ID or greater are refused after GOAWAY. */
  #refusedFrom: number = anyStream;
  #closing = false;
  #over = false;
  /** Priorities of requests that have not begun yet (RFC 9218 §7.2). */
  readonly #priorities = new Map<number, string>();

  constructor(handler: Http3Handler) {
    this.#handler = handler;
  }

  get over(): boolean {
    return this.#over;
  }

  get maxFieldBytes(): number {
    return this.#handler.fieldLimits.bytes;
  }

  // QUIC callbacks

  onReady(connection: QuicConnection): void {
    this.quic = connection;
    const settings = Buffer.concat(
      [
        [setting.qpackMaxTableCapacity, tableCapacity],
        [setting.qpackBlockedStreams, maxBlockedStreams],
        [setting.maxFieldSectionSize, this.maxFieldBytes],
        [setting.enableConnectProtocol, 1],
      ].flatMap(([id, value]) => [integerBytes(id as number), integerBytes(value as number)]),
    );
    this.#control = this.#open(streamType.control, frameBytes(frameType.settings, settings));
    this.#encoderStream = this.#open(streamType.encoder);
    this.#decoderStream = this.#open(streamType.decoder);
  }

  /** Opens an outgoing stream. A peer must allow at least three (RFC 9114 §6.2). */
  #open(type: number, first: Buffer = Buffer.alloc(0)): QuicStream | null {
    const stream = this.quic?.openStream(false) ?? null;
    if (stream === null) {
      this.fail(new Http3Error(h3Error.streamCreationError, 'peer does not allow control streams'));
      return null;
    }
    stream.user = this.#ownStream;
    // Sent first, because other streams depend on it.
    stream.urgency = 0;
    stream.write(Buffer.concat([integerBytes(type), first]));
    return stream;
  }

  onHandshakeComplete(): void {
    this.#handler.onHandshakeComplete();
  }

  onStream(quic: QuicStream): void {
    if ((quic.id & 2) !== 0) {
      quic.user = new PeerStream(this, quic);
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

  onClosed(reason: CloseReason): void {
    this.#over = true;
    for (const stream of [...this.streams.values()]) stream.close(h3Error.noError);
    this.#handler.onClosed(reason);
  }

  /** Handles an exception in a callback. */
  fault(error: unknown): void {
    failOwner(this.#handler, error);
    this.end(h3Error.internalError);
  }

  // Requests

  decode(stream: Http3Stream, section: Buffer, isTrailers: boolean): RequestFields | null {
    const fields = new RequestFields(this.#handler.fieldLimits, isTrailers);
    const decoder = this.#decoder;
    if (decoder.decode(section, fields) === decodeResult.blocked) {
      let blocked = 0;
      for (const each of this.streams.values()) if (each.blocked) blocked += 1;
      if (blocked > maxBlockedStreams)
        throw new Http3Error(h3Error.qpackDecompressionFailed, 'too many blocked streams');
      return null;
    }
    if (decoder.requiredInserts > 0) {
      this.#decoderStream?.write(prefixed(0x80, 0x7f, stream.id));
      this.#acknowledgedInserts = Math.max(this.#acknowledgedInserts, decoder.requiredInserts);
    }
    return fields;
  }

  encode(stream: Http3Stream, fields: readonly string[]): Buffer {
    const section = this.#encoder.encode(stream.id, fields);
    const instructions = this.#encoder.takeInstructions();
    if (instructions.length > 0) this.#encoderStream?.write(instructions);
    return section;
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
    if (!this.#budgets.violations.take()) this.#abuse('too many stream errors');
  }

  closed(stream: Http3Stream): void {
    this.streams.delete(stream.id);
    if (stream.blocked) this.#decoderStream?.write(prefixed(0x40, 0x3f, stream.id));
    this.#handler.onStreamClosed();
    if (!stream.localEnded && !this.#over && !this.#budgets.resets.take()) this.#abuse('too many streams were reset');
    this.#endIfDone();
  }

  // Peer streams

  opened(type: number): void {
    if (this.#opened.has(type)) throw new Http3Error(h3Error.streamCreationError, 'critical stream was opened twice');
    this.#opened.add(type);
  }

  control(bytes: Buffer): void {
    this.#controlReader.read(bytes, 0, () => this.#over);
  }

  encoder(bytes: Buffer): void {
    if (this.#decoder.instructions(bytes) === 0) return;
    const { inserted } = this.#decoder;
    if (inserted > this.#acknowledgedInserts) {
      this.#decoderStream?.write(prefixed(0, 0x3f, inserted - this.#acknowledgedInserts));
      this.#acknowledgedInserts = inserted;
    }
    for (const stream of [...this.streams.values()]) if (stream.blocked) stream.unblock();
  }

  decoder(bytes: Buffer): void {
    this.#encoder.feedback(bytes);
  }

  onFrame(type: number, length: number): number {
    if (!this.#hasSettings && type !== frameType.settings)
      throw new Http3Error(h3Error.missingSettings, 'control stream does not begin with SETTINGS');
    if (
      reservedFrames.has(type) ||
      type === frameType.data ||
      type === frameType.headers ||
      type === frameType.pushPromise
    )
      throw new Http3Error(h3Error.frameUnexpected, `unexpected frame of type ${type} on the control stream`);
    if (!this.#budgets.idles.take()) this.#abuse('too many empty frames');
    if (!controlFrames.has(type)) return take.skip;
    if (length > maxControlPayload) throw new Http3Error(h3Error.excessiveLoad, 'control frame is too long');
    return take.collect;
  }

  onPiece(): void {}

  onPayload(type: number, payload: Buffer): void {
    switch (type) {
      case frameType.settings:
        this.#settings(payload);
        break;
      case frameType.priorityUpdate:
        this.#priorityUpdate(payload);
        break;
      default:
        this.#pushFrame(type, payload);
    }
  }

  /** Handles a frame with a single push ID. The server never pushes. */
  #pushFrame(type: number, payload: Buffer): void {
    const id = integerAt(payload, 0);
    if (id === null || id.end !== payload.length)
      throw new Http3Error(h3Error.frameError, 'control frame has an invalid length');
    if (type === frameType.cancelPush)
      throw new Http3Error(h3Error.idError, 'CANCEL_PUSH for a push that was not promised');
    if (type === frameType.goAway) {
      if (id.value > this.#goawayId) throw new Http3Error(h3Error.idError, 'GOAWAY with a greater ID than before');
      this.#goawayId = id.value;
    } else {
      if (id.value < this.#maxPush) throw new Http3Error(h3Error.idError, 'MAX_PUSH_ID with a smaller ID than before');
      this.#maxPush = id.value;
    }
  }

  #settings(payload: Buffer): void {
    if (this.#hasSettings) throw new Http3Error(h3Error.frameUnexpected, 'duplicate SETTINGS frame');
    this.#hasSettings = true;
    const seen = new Set<number>();
    for (let at = 0; at < payload.length;) {
      const id = integerAt(payload, at);
      const value = id === null ? null : integerAt(payload, id.end);
      if (id === null || value === null) throw new Http3Error(h3Error.frameError, 'SETTINGS are truncated');
      at = value.end;
      if (reservedSettings.has(id.value) || seen.has(id.value))
        throw new Http3Error(h3Error.settingsError, 'duplicate or reserved setting');
      seen.add(id.value);
      if (id.value === setting.qpackMaxTableCapacity) this.#encoder.offer(value.value);
      if (id.value === setting.enableConnectProtocol && value.value > 1)
        throw new Http3Error(h3Error.settingsError, 'SETTINGS_ENABLE_CONNECT_PROTOCOL must be 0 or 1');
    }
    const instructions = this.#encoder.takeInstructions();
    if (instructions.length > 0) this.#encoderStream?.write(instructions);
  }

  #priorityUpdate(payload: Buffer): void {
    const id = integerAt(payload, 0);
    if (id === null) throw new Http3Error(h3Error.frameError, 'PRIORITY_UPDATE is truncated');
    if (id.value % 4 !== 0) throw new Http3Error(h3Error.idError, 'PRIORITY_UPDATE does not refer to a request stream');
    const value = payload.toString('latin1', id.end);
    const stream = this.streams.get(id.value);
    if (stream !== undefined) setPriority(stream, value);
    else if (id.value >= this.#nextId && this.#priorities.size < 100) this.#priorities.set(id.value, value);
  }

  // Closing

  /**
   * Begins a graceful shutdown: asks the client to send no more requests (RFC 9114 §5.2). Requests in flight are served until {@link
   * finishShutdown}.
   */
  shutdown(): void {
    if (this.#closing || this.#over) return;
    this.#closing = true;
    this.#goAway(anyStream);
  }

  /** Second step of {@link shutdown}: refuses new requests. */
  finishShutdown(): void {
    if (this.#refusedFrom !== anyStream || this.#over) return;
    this.#closing = true;
    this.#refusedFrom = this.#nextId;
    this.#goAway(this.#nextId);
    this.#endIfDone();
  }

  #goAway(id: number): void {
    this.#control?.write(frameBytes(frameType.goAway, integerBytes(id)));
  }

  #endIfDone(): void {
    if (this.#refusedFrom !== anyStream && this.streams.size === 0 && !this.#over && this.quic?.allSent === true)
      this.end(h3Error.noError);
  }

  /** Ends the connection immediately. `code` is an HTTP/3 error code. */
  end(code: number, reason = ''): void {
    if (this.#over) return;
    this.#over = true;
    this.quic?.close(code, reason);
  }

  /** Handles a connection error (RFC 9114 §8). */
  fail(error: unknown): void {
    if (this.#over) return;
    if (isHttp3Error(error)) this.end(error.code, error.message);
    else if (isQuicError(error)) throw error;
    else this.fault(error);
  }

  /** Ends the connection because of abusive behavior. */
  #abuse(reason: string): void {
    this.#handler.onAbuse(reason);
    this.end(h3Error.excessiveLoad, reason);
  }
}

const controlFrames: ReadonlySet<number> = new Set([
  frameType.settings,
  frameType.priorityUpdate,
  frameType.cancelPush,
  frameType.goAway,
  frameType.maxPushId,
]);

function integerAt(bytes: Buffer, at: number): { readonly value: number; readonly end: number } | null {
  if (at >= bytes.length) return null;
  const first = byteAt(bytes, at);
  const end = at + (1 << (first >> 6));
  if (end > bytes.length) return null;
  let value = first & 0x3f;
  for (let i = at + 1; i < end; i++) value = value * 256 + byteAt(bytes, i);
  return { value, end };
}

/** Encodes a QPACK instruction with a single integer. */
function prefixed(pattern: number, mask: number, value: number): Buffer {
  if (value < mask) return Buffer.from([pattern | value]);
  const bytes = [pattern | mask];
  let rest = value - mask;
  while (rest >= 0x80) {
    bytes.push(0x80 | (rest & 0x7f));
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
