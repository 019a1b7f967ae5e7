/** Parses the frames of a packet (RFC 9000 §19). Passes each frame to the connection without allocating objects. */
import { byteAt } from '@sluice/base';
import type { ByteReader } from './byte-reader.ts';
import { QuicError, transportError } from './error-code.ts';
import { frameType, streamBit } from './frame-type.ts';
import { level } from './level.ts';
import { maxIdLength } from './packet-header.ts';

/** An ACK frame. The instance is reused, so callers must copy the values that they keep. */
export class AckFrame {
  largest = 0;
  /** Encoded ACK delay, which must be scaled with the peer's exponent. */
  delay = 0;
  /** Acknowledged ranges as alternating `high, low`, largest first. */
  readonly bounds: number[] = [];
  hasEcn = false;
  ect0 = 0;
  ect1 = 0;
  ce = 0;
}

/** Receiver of frames. Byte strings are views of the packet, so the receiver must copy the values that it keeps. */
export interface FrameTaker {
  onAck(ack: AckFrame): void;
  onPing(): void;
  onResetStream(id: number, code: number, finalSize: number): void;
  onStopSending(id: number, code: number): void;
  onCrypto(offset: number, bytes: Buffer): void;
  onNewToken(token: Buffer): void;
  onStream(id: number, offset: number, bytes: Buffer, fin: boolean): void;
  onMaxData(limit: number): void;
  onMaxStreamData(id: number, limit: number): void;
  onMaxStreams(limit: number, bidirectional: boolean): void;
  onStreamDataBlocked(id: number): void;
  onNewConnectionId(sequence: number, retirePriorTo: number, id: Buffer, resetToken: Buffer): void;
  onRetireConnectionId(sequence: number): void;
  onPathChallenge(data: Buffer): void;
  onPathResponse(data: Buffer): void;
  onClose(code: number, reason: string, application: boolean): void;
  onHandshakeDone(): void;
  onDatagram(bytes: Buffer): void;
}

export const packetContent = {
  /** The packet contains no ack-eliciting frames. */
  none: 0,
  ackEliciting: 1,
  /** The packet contains a non-probing frame, which shows that the peer uses this path (RFC 9000 §9.1). */
  nonProbing: 2,
} as const;

/** Maximum stream offset (RFC 9000 §19.8). */
const maxOffset = 2 ** 62 - 1;
/** Maximum number of ranges to process in an ACK frame. Any further ranges concern old packets. */
const maxAckRanges = 256;

/** Frame types allowed at each encryption level, as bit masks (RFC 9000 §12.4). */
const ofHandshakes = bits(
  frameType.padding,
  frameType.ping,
  frameType.ack,
  frameType.ackEcn,
  frameType.crypto,
  frameType.close,
);
const notInEarlyData = bits(
  frameType.ack,
  frameType.ackEcn,
  frameType.crypto,
  frameType.handshakeDone,
  frameType.newToken,
  frameType.pathResponse,
  frameType.retireConnectionId,
);
/** Frame types that are not ack-eliciting (RFC 9000 §13.2). */
const quiet = bits(frameType.padding, frameType.ack, frameType.ackEcn, frameType.close, frameType.closeApplication);
/** Probing frame types (RFC 9000 §9.1). */
const probing = bits(frameType.padding, frameType.newConnectionId, frameType.pathChallenge, frameType.pathResponse);

function bits(...types: readonly number[]): number {
  return types.reduce((all, type) => all | (1 << type), 0);
}

function has(set: number, type: number): boolean {
  return type < 32 && (set & (1 << type)) !== 0;
}

const ack = new AckFrame();

/** Parses all frames of a packet. Returns bits of {@link packetContent}. Throws {@link QuicError} on protocol violations. */
export function readFrames(reader: ByteReader, at: number, taker: FrameTaker): number {
  if (reader.left === 0) throw new QuicError(transportError.protocolViolation, 'the packet contains no frames');
  let content = 0;
  while (reader.left > 0) {
    const type = byteAt(reader.bytes, reader.at);
    // Nearly all frame types are below 64. Longer encodings of these types are errors (RFC 9000 §12.4).
    if (type > 0x3f) throw unknown(reader);
    reader.at += 1;
    if (type === frameType.padding) continue;
    checkLevel(type, at);
    if (!has(quiet, type)) content |= packetContent.ackEliciting;
    if (!has(probing, type)) content |= packetContent.nonProbing;
    readFrame(reader, type, taker);
    if (reader.truncated)
      throw new QuicError(transportError.frameEncodingError, 'truncated frame', { frameType: type });
  }
  return content;
}

function unknown(reader: ByteReader): QuicError {
  const type = reader.varint();
  if (reader.truncated) return new QuicError(transportError.frameEncodingError, 'truncated frame type');
  const isKnown = type <= frameType.handshakeDone;
  const code = isKnown ? transportError.protocolViolation : transportError.frameEncodingError;
  return new QuicError(code, isKnown ? 'the frame type is not encoded in its shortest form' : 'unknown frame type', {
    frameType: type,
  });
}

function checkLevel(type: number, at: number): void {
  if (at === level.application) return;
  if (at === level.early ? has(notInEarlyData, type) : !has(ofHandshakes, type))
    throw new QuicError(transportError.protocolViolation, 'the frame is not allowed in this packet type', {
      frameType: type,
    });
}

function readFrame(reader: ByteReader, type: number, taker: FrameTaker): void {
  if (type >= frameType.stream && type <= frameType.stream + 7) {
    readStream(reader, type, taker);
    return;
  }
  switch (type) {
    case frameType.ping:
      taker.onPing();
      break;
    case frameType.ack:
    case frameType.ackEcn:
      readAck(reader, type);
      if (!reader.truncated) taker.onAck(ack);
      break;
    case frameType.crypto:
      readCrypto(reader, taker);
      break;
    case frameType.maxData: {
      const limit = reader.varint();
      if (!reader.truncated) taker.onMaxData(limit);
      break;
    }
    case frameType.close:
    case frameType.closeApplication:
      readClose(reader, type, taker);
      break;
    case frameType.handshakeDone:
      taker.onHandshakeDone();
      break;
    case frameType.datagram:
    case frameType.datagramWithLength: {
      const bytes = reader.take(type === frameType.datagram ? reader.left : reader.varint());
      if (!reader.truncated) taker.onDatagram(bytes);
      break;
    }
    case frameType.newToken: {
      const token = reader.take(reader.varint());
      if (reader.truncated) break;
      if (token.length === 0) throw encoding('empty token', type);
      taker.onNewToken(token);
      break;
    }
    case frameType.dataBlocked:
      reader.varint();
      break;
    case frameType.streamsBlockedBidi:
    case frameType.streamsBlockedUni:
      if (reader.streams() < 0) throw encoding('stream limit exceeds 2^60', type);
      break;
    default:
      readStreamControl(reader, type, taker);
  }
}

/** Parses frames that concern a single stream, connection ID or path. */
function readStreamControl(reader: ByteReader, type: number, taker: FrameTaker): void {
  switch (type) {
    case frameType.resetStream: {
      const id = reader.varint();
      const code = reader.varint();
      const finalSize = reader.varint();
      if (!reader.truncated) taker.onResetStream(id, code, finalSize);
      break;
    }
    case frameType.stopSending: {
      const id = reader.varint();
      const code = reader.varint();
      if (!reader.truncated) taker.onStopSending(id, code);
      break;
    }
    case frameType.maxStreamData: {
      const id = reader.varint();
      const limit = reader.varint();
      if (!reader.truncated) taker.onMaxStreamData(id, limit);
      break;
    }
    case frameType.maxStreamsBidi:
    case frameType.maxStreamsUni: {
      const limit = reader.streams();
      if (limit < 0) throw encoding('stream limit exceeds 2^60', type);
      if (!reader.truncated) taker.onMaxStreams(limit, type === frameType.maxStreamsBidi);
      break;
    }
    case frameType.streamDataBlocked: {
      const id = reader.varint();
      reader.varint();
      if (!reader.truncated) taker.onStreamDataBlocked(id);
      break;
    }
    case frameType.newConnectionId:
      readNewConnectionId(reader, taker);
      break;
    case frameType.retireConnectionId: {
      const sequence = reader.varint();
      if (!reader.truncated) taker.onRetireConnectionId(sequence);
      break;
    }
    case frameType.pathChallenge: {
      const data = reader.take(8);
      if (!reader.truncated) taker.onPathChallenge(data);
      break;
    }
    case frameType.pathResponse: {
      const data = reader.take(8);
      if (!reader.truncated) taker.onPathResponse(data);
      break;
    }
    default:
      throw encoding('unknown frame type', type);
  }
}

function readStream(reader: ByteReader, type: number, taker: FrameTaker): void {
  const id = reader.varint();
  const offset = (type & streamBit.offset) !== 0 ? reader.varint() : 0;
  const length = (type & streamBit.length) !== 0 ? reader.varint() : reader.left;
  const bytes = reader.take(length);
  if (reader.truncated) return;
  if (offset + length > maxOffset) throw encoding('offset exceeds 2^62-1', type);
  taker.onStream(id, offset, bytes, (type & streamBit.fin) !== 0);
}

function readCrypto(reader: ByteReader, taker: FrameTaker): void {
  const offset = reader.varint();
  const bytes = reader.take(reader.varint());
  if (reader.truncated) return;
  if (offset + bytes.length > maxOffset) throw encoding('offset exceeds 2^62-1', frameType.crypto);
  taker.onCrypto(offset, bytes);
}

function readAck(reader: ByteReader, type: number): void {
  const { bounds } = ack;
  bounds.length = 0;
  ack.largest = reader.varint();
  ack.delay = reader.varint();
  const count = reader.varint();
  let low = ack.largest - reader.varint();
  bounds.push(ack.largest, low);
  for (let i = 0; i < count && !reader.truncated && low >= 0; i++) {
    const high = low - reader.varint() - 2;
    low = high - reader.varint();
    if (bounds.length < 2 * maxAckRanges) bounds.push(high, low);
  }
  if (low < 0) throw encoding('an acknowledged packet range begins below 0', type);
  ack.hasEcn = type === frameType.ackEcn;
  if (!ack.hasEcn) return;
  ack.ect0 = reader.varint();
  ack.ect1 = reader.varint();
  ack.ce = reader.varint();
}

function readNewConnectionId(reader: ByteReader, taker: FrameTaker): void {
  const sequence = reader.varint();
  const retirePriorTo = reader.varint();
  const length = reader.uint8();
  const id = reader.take(length);
  const resetToken = reader.take(16);
  if (reader.truncated) return;
  if (length === 0 || length > maxIdLength || retirePriorTo > sequence)
    throw encoding('NEW_CONNECTION_ID contradicts itself', frameType.newConnectionId);
  taker.onNewConnectionId(sequence, retirePriorTo, id, resetToken);
}

function readClose(reader: ByteReader, type: number, taker: FrameTaker): void {
  const code = reader.varint();
  if (type === frameType.close) reader.varint();
  const reason = reader.take(reader.varint());
  if (!reader.truncated) taker.onClose(code, reason.toString('utf8'), type === frameType.closeApplication);
}

function encoding(reason: string, type: number): QuicError {
  return new QuicError(transportError.frameEncodingError, reason, { frameType: type });
}
