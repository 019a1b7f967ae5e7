/** Types of HTTP/3 frames (RFC 9114 §7.2), settings (§7.2.4.1) and unidirectional streams (§6.2). */
import { byteAt } from '@sluice/base';
import type { QuicStream } from '@sluice/quic';

export const frameType = {
  data: 0x00,
  headers: 0x01,
  cancelPush: 0x03,
  settings: 0x04,
  pushPromise: 0x05,
  goAway: 0x07,
  maxPushId: 0x0d,
  /** PRIORITY_UPDATE frames for requests and for pushes (RFC 9218 §7.2). */
  priorityUpdate: 0xf0700,
  priorityUpdatePush: 0xf0701,
} as const;

/** HTTP/2 frame types that are forbidden in HTTP/3 (RFC 9114 §7.2.8). */
export const reservedFrames: ReadonlySet<number> = new Set([0x02, 0x06, 0x08, 0x09]);

export const setting = {
  qpackMaxTableCapacity: 0x01,
  maxFieldSectionSize: 0x06,
  qpackBlockedStreams: 0x07,
  /** RFC 9220 §3. */
  enableConnectProtocol: 0x08,
} as const;

/** HTTP/2 settings that are forbidden in HTTP/3 (RFC 9114 §7.2.4.1). */
export const reservedSettings: ReadonlySet<number> = new Set([0x02, 0x03, 0x04, 0x05]);

export const streamType = { control: 0x00, push: 0x01, encoder: 0x02, decoder: 0x03 } as const;

/** Encodes a variable-length integer (RFC 9000 §16). */
export function integerBytes(value: number): Buffer {
  if (value < 0x40) return Buffer.from([value]);
  if (value < 0x4000) return Buffer.from([0x40 | (value >> 8), value & 0xff]);
  const bytes = Buffer.alloc(value < 0x4000_0000 ? 4 : 8);
  if (bytes.length === 4) bytes.writeUInt32BE(value + 0x8000_0000);
  else bytes.writeBigUInt64BE(BigInt(value) | (3n << 62n));
  return bytes;
}

export function frameBytes(type: number, payload: Buffer): Buffer {
  return Buffer.concat([integerBytes(type), integerBytes(payload.length), payload]);
}

/** Reads the variable-length integer at `at`. Returns `null` if it is truncated. */
export function integerAt(bytes: Buffer, at: number): { readonly value: number; readonly end: number } | null {
  if (at >= bytes.length) return null;
  const first = byteAt(bytes, at);
  const end = at + (1 << (first >> 6));
  if (end > bytes.length) return null;
  let value = first & 0x3f;
  for (let i = at + 1; i < end; i++) value = value * 256 + byteAt(bytes, i);
  return { value, end };
}

const messageHead = Buffer.alloc(5);

/** Writes a frame of a request or response. The stream copies the payload. Returns false if the caller should wait before writing more. */
export function writeMessageFrame(stream: QuicStream, type: number, payload: Buffer): boolean {
  messageHead[0] = type;
  messageHead.writeUInt32BE(payload.length + 0x8000_0000, 1);
  return stream.write(messageHead, payload);
}
