/** The control and QPACK streams of a connection in both directions (RFC 9114 §6.2, RFC 9204 §4.2). Used by servers and clients. */
import { failOwner, type Guarded } from '@sluice/base';
import type { FieldSink, PeerBudgets } from '@sluice/http2';
import type { QuicConnection, QuicStream } from '@sluice/quic';
import { h3Error, Http3Error } from './error-code.ts';
import { FrameReader, take, type FrameTaker } from './frame-reader.ts';
import {
  frameBytes,
  frameType,
  integerAt,
  integerBytes,
  reservedFrames,
  reservedSettings,
  setting,
  streamType,
} from './frame.ts';
import { OwnStream } from './own-stream.ts';
import { PeerStream, type PeerStreamHost } from './peer-stream.ts';
import { decodeResult, maxBlockedStreams, QpackDecoder, tableCapacity } from './qpack/decoder.ts';
import { QpackEncoder } from './qpack/encoder.ts';
import { instruction } from './qpack/instruction.ts';

/** Interface through which the protocol streams call the HTTP/3 connection. An exception is treated as a connection error. */
export interface ProtocolHost extends Guarded {
  /** True on a server, where the peer is a client. */
  readonly isServer: boolean;
  readonly over: boolean;
  /** Streams whose field sections may be waiting for QPACK table entries. */
  readonly streams: ReadonlyMap<number, { readonly blocked: boolean; unblock(): void }>;
  /** Called once, with the peer's settings. */
  onSettings(settings: ReadonlyMap<number, number>): void;
  /** Called with the ID in a GOAWAY frame. The ID never increases. */
  onGoAway(id: number): void;
  onPriorityUpdate(payload: Buffer): void;
  onAbuse(reason: string): void;
  /** Handles a connection error. */
  fail(error: unknown): void;
}

/** Maximum payload of a frame on a control stream, in bytes. */
const maxControlPayload = 4096;

export class ProtocolStreams implements PeerStreamHost, FrameTaker {
  readonly #host: ProtocolHost;
  readonly #budgets: PeerBudgets;
  readonly #decoder = new QpackDecoder();
  readonly #encoder = new QpackEncoder();
  readonly #reader = new FrameReader(this);
  readonly #own: OwnStream;
  readonly #opened = new Set<number>();
  #control: QuicStream | null = null;
  #encoderStream: QuicStream | null = null;
  #decoderStream: QuicStream | null = null;
  #hasSettings = false;
  /** IDs in the last GOAWAY and MAX_PUSH_ID frames from the peer. */
  #goawayId = Number.POSITIVE_INFINITY;
  #maxPush = 0;
  /** Number of QPACK table insertions that have been acknowledged to the peer. */
  #acknowledgedInserts = 0;

  constructor(host: ProtocolHost, budgets: PeerBudgets) {
    this.#host = host;
    this.#budgets = budgets;
    this.#own = new OwnStream(host);
  }

  get isServer(): boolean {
    return this.#host.isServer;
  }

  /** True after the peer's settings have arrived. */
  get hasSettings(): boolean {
    return this.#hasSettings;
  }

  /** Opens the outgoing streams and sends the settings. */
  open(quic: QuicConnection, maxFieldBytes: number): void {
    const settings: [number, number][] = [
      [setting.qpackMaxTableCapacity, tableCapacity],
      [setting.qpackBlockedStreams, maxBlockedStreams],
      [setting.maxFieldSectionSize, maxFieldBytes],
    ];
    if (this.isServer) settings.push([setting.enableConnectProtocol, 1]);
    const payload = Buffer.concat(settings.flatMap(([id, value]) => [integerBytes(id), integerBytes(value)]));
    this.#control = this.#open(quic, streamType.control, frameBytes(frameType.settings, payload));
    this.#encoderStream = this.#open(quic, streamType.encoder);
    this.#decoderStream = this.#open(quic, streamType.decoder);
  }

  /** Opens an outgoing unidirectional stream. Every peer must allow at least three (RFC 9114 §6.2). */
  #open(quic: QuicConnection, type: number, first: Buffer = Buffer.alloc(0)): QuicStream | null {
    const stream = quic.openStream(false);
    if (stream === null) {
      this.fail(new Http3Error(h3Error.streamCreationError, 'peer does not allow control streams'));
      return null;
    }
    stream.user = this.#own;
    // Highest urgency, because other streams depend on this stream.
    stream.urgency = 0;
    stream.write(Buffer.concat([integerBytes(type), first]));
    return stream;
  }

  /** Accepts a unidirectional stream that the peer has opened. */
  accept(quic: QuicStream): void {
    quic.user = new PeerStream(this, quic);
  }

  goAway(id: number): void {
    this.#control?.write(frameBytes(frameType.goAway, integerBytes(id)));
  }

  // Field sections

  /**
   * Decodes a field section. Returns false if QPACK table entries are missing. In that case, the caller must decode the section again
   * later.
   */
  decode(stream: number, section: Buffer, sink: FieldSink): boolean {
    const decoder = this.#decoder;
    if (decoder.decode(section, sink) === decodeResult.blocked) {
      let blocked = 0;
      for (const each of this.#host.streams.values()) if (each.blocked) blocked += 1;
      if (blocked > maxBlockedStreams)
        throw new Http3Error(h3Error.qpackDecompressionFailed, 'too many blocked streams');
      return false;
    }
    if (decoder.requiredInserts > 0) {
      this.#decoderStream?.write(instruction(0x80, 0x7f, stream));
      this.#acknowledgedInserts = Math.max(this.#acknowledgedInserts, decoder.requiredInserts);
    }
    return true;
  }

  /** Encodes a field section. The result is valid until the next call. */
  encode(stream: number, fields: readonly string[]): Buffer {
    const section = this.#encoder.encode(stream, fields);
    this.#sendInstructions();
    return section;
  }

  #sendInstructions(): void {
    const instructions = this.#encoder.takeInstructions();
    if (instructions.length > 0) this.#encoderStream?.write(instructions);
  }

  /** Called if a stream closes while its field section is waiting for table entries. */
  cancelled(stream: number): void {
    this.#decoderStream?.write(instruction(0x40, 0x3f, stream));
  }

  // Peer streams

  opened(type: number): void {
    if (this.#opened.has(type)) throw new Http3Error(h3Error.streamCreationError, 'critical stream was opened twice');
    this.#opened.add(type);
  }

  control(bytes: Buffer): void {
    this.#reader.read(bytes, 0, () => this.#host.over);
  }

  encoder(bytes: Buffer): void {
    if (this.#decoder.instructions(bytes) === 0) return;
    const { inserted } = this.#decoder;
    if (inserted > this.#acknowledgedInserts) {
      this.#decoderStream?.write(instruction(0, 0x3f, inserted - this.#acknowledgedInserts));
      this.#acknowledgedInserts = inserted;
    }
    for (const stream of [...this.#host.streams.values()]) if (stream.blocked) stream.unblock();
  }

  decoder(bytes: Buffer): void {
    this.#encoder.feedback(bytes);
  }

  fail(error: unknown): void {
    this.#host.fail(error);
  }

  fault(error: unknown): void {
    failOwner(this.#host, error);
  }

  // The methods below handle control stream frames.

  onFrame(type: number, length: number): number {
    if (!this.#hasSettings && type !== frameType.settings)
      throw new Http3Error(h3Error.missingSettings, 'control stream does not begin with SETTINGS');
    const isForbidden = this.isServer ? forbiddenAtServer : forbiddenAtClient;
    if (reservedFrames.has(type) || isForbidden.has(type))
      throw new Http3Error(h3Error.frameUnexpected, `unexpected frame of type ${type} on the control stream`);
    if (!this.#budgets.idles.take()) this.#host.onAbuse('too many empty frames');
    if (!controlFrames.has(type)) return take.skip;
    if (length > maxControlPayload) throw new Http3Error(h3Error.excessiveLoad, 'control frame is too long');
    return take.collect;
  }

  onPiece(): void {}

  onPayload(type: number, payload: Buffer): void {
    if (type === frameType.settings) this.#settings(payload);
    else if (type === frameType.priorityUpdate) this.#host.onPriorityUpdate(payload);
    else this.#idFrame(type, payload);
  }

  /** Handles a frame that contains a single ID. Push is not supported: servers never push, and clients never allow it. */
  #idFrame(type: number, payload: Buffer): void {
    const id = integerAt(payload, 0);
    if (id === null || id.end !== payload.length)
      throw new Http3Error(h3Error.frameError, 'control frame has an invalid length');
    if (type === frameType.cancelPush)
      throw new Http3Error(h3Error.idError, 'CANCEL_PUSH for a push that was not promised');
    if (type === frameType.goAway) {
      if (id.value > this.#goawayId)
        throw new Http3Error(h3Error.idError, 'GOAWAY ID is greater than the previous one');
      this.#goawayId = id.value;
      this.#host.onGoAway(id.value);
    } else {
      if (id.value < this.#maxPush)
        throw new Http3Error(h3Error.idError, 'MAX_PUSH_ID is smaller than the previous one');
      this.#maxPush = id.value;
    }
  }

  #settings(payload: Buffer): void {
    if (this.#hasSettings) throw new Http3Error(h3Error.frameUnexpected, 'duplicate SETTINGS frame');
    this.#hasSettings = true;
    const settings = new Map<number, number>();
    for (let at = 0; at < payload.length;) {
      const id = integerAt(payload, at);
      const value = id === null ? null : integerAt(payload, id.end);
      if (id === null || value === null) throw new Http3Error(h3Error.frameError, 'SETTINGS are truncated');
      at = value.end;
      if (reservedSettings.has(id.value) || settings.has(id.value))
        throw new Http3Error(h3Error.settingsError, 'duplicate or reserved setting');
      settings.set(id.value, value.value);
    }
    if ((settings.get(setting.enableConnectProtocol) ?? 0) > 1)
      throw new Http3Error(h3Error.settingsError, 'SETTINGS_ENABLE_CONNECT_PROTOCOL must be 0 or 1');
    this.#encoder.offer(settings.get(setting.qpackMaxTableCapacity) ?? 0);
    this.#sendInstructions();
    this.#host.onSettings(settings);
  }
}

const controlFrames: ReadonlySet<number> = new Set([
  frameType.settings,
  frameType.priorityUpdate,
  frameType.cancelPush,
  frameType.goAway,
  frameType.maxPushId,
]);

const forbiddenAtServer: ReadonlySet<number> = new Set([frameType.data, frameType.headers, frameType.pushPromise]);
/** Frame types that a client must not receive. Only clients send the last three (RFC 9114 §7.2.7, RFC 9218 §7.2). */
const forbiddenAtClient: ReadonlySet<number> = new Set([
  ...forbiddenAtServer,
  frameType.maxPushId,
  frameType.priorityUpdate,
  frameType.priorityUpdatePush,
]);
