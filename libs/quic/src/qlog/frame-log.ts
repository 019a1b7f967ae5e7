/** Describes the frames of a packet in qlog format. Contents, tokens and connection IDs are omitted, because they may be secret. */
import type { JsonObject } from '@sluice/base';
import { ByteReader } from '../wire/byte-reader.ts';
import { readFrames, type AckFrame, type FrameTaker } from '../wire/frame-reader.ts';

/** Maximum number of acknowledged ranges to log per frame. */
const maxRanges = 32;

class FrameLog implements FrameTaker {
  frames: JsonObject[] = [];

  #add(type: string, fields: JsonObject = {}): void {
    this.frames.push({ frame_type: type, ...fields });
  }

  onAck({ bounds, delay }: AckFrame): void {
    const ranges: number[][] = [];
    for (let i = 0; i < bounds.length && ranges.length < maxRanges; i += 2)
      ranges.push([bounds[i + 1] ?? 0, bounds[i] ?? 0]);
    // Log the encoded delay, because decoding it requires a parameter of the peer.
    this.#add('ack', { ack_delay: delay, acked_ranges: ranges });
  }

  onPing(): void {
    this.#add('ping');
  }

  onResetStream(id: number, code: number, finalSize: number): void {
    this.#add('reset_stream', { stream_id: id, error_code: code, final_size: finalSize });
  }

  onStopSending(id: number, code: number): void {
    this.#add('stop_sending', { stream_id: id, error_code: code });
  }

  onCrypto(offset: number, { length }: Buffer): void {
    this.#add('crypto', { offset, length });
  }

  onNewToken({ length }: Buffer): void {
    this.#add('new_token', { token: { length } });
  }

  onStream(id: number, offset: number, { length }: Buffer, fin: boolean): void {
    this.#add('stream', { stream_id: id, offset, length, ...(fin ? { fin } : {}) });
  }

  onMaxData(limit: number): void {
    this.#add('max_data', { maximum: limit });
  }

  onMaxStreamData(id: number, limit: number): void {
    this.#add('max_stream_data', { stream_id: id, maximum: limit });
  }

  onMaxStreams(limit: number, bidirectional: boolean): void {
    this.#add('max_streams', { stream_type: bidirectional ? 'bidirectional' : 'unidirectional', maximum: limit });
  }

  onStreamDataBlocked(id: number): void {
    this.#add('stream_data_blocked', { stream_id: id });
  }

  onNewConnectionId(sequence: number, retirePriorTo: number): void {
    this.#add('new_connection_id', { sequence_number: sequence, retire_prior_to: retirePriorTo });
  }

  onRetireConnectionId(sequence: number): void {
    this.#add('retire_connection_id', { sequence_number: sequence });
  }

  onPathChallenge(): void {
    this.#add('path_challenge');
  }

  onPathResponse(): void {
    this.#add('path_response');
  }

  onClose(code: number, reason: string, application: boolean): void {
    this.#add('connection_close', { error_space: application ? 'application' : 'transport', error_code: code, reason });
  }

  onHandshakeDone(): void {
    this.#add('handshake_done');
  }

  onDatagram({ length }: Buffer): void {
    this.#add('datagram', { length });
  }
}

const log = new FrameLog();
const reader = new ByteReader();

/** Returns descriptions of the frames in `bytes[start..end)`, up to the first malformed frame. */
export function framesIn(bytes: Buffer, start: number, end: number, level: number): JsonObject[] {
  log.frames = [];
  try {
    readFrames(reader.reset(bytes, start, end), level, log);
  } catch {
    log.frames.push({ frame_type: 'unknown' });
  }
  return log.frames;
}
