/** HTTP/2 frame format (RFC 9113 §4.1): a nine-byte header and a payload. */
import { byteAt } from '@sluice/base';

/** HTTP/2 frame types (RFC 9113 §6, RFC 9218 §7.1). */
export const frameType = {
  data: 0x0,
  headers: 0x1,
  priority: 0x2,
  reset: 0x3,
  settings: 0x4,
  pushPromise: 0x5,
  ping: 0x6,
  goAway: 0x7,
  windowUpdate: 0x8,
  continuation: 0x9,
  priorityUpdate: 0x10,
} as const;

/** HTTP/2 frame flags. Their meaning depends on the frame type: ACK and END_STREAM share a bit. */
export const frameFlag = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

/** HTTP/2 setting identifiers (RFC 9113 §6.5.2, RFC 8441 §3, RFC 9218 §2.1). */
export const setting = {
  headerTableSize: 0x1,
  enablePush: 0x2,
  maxConcurrentStreams: 0x3,
  initialWindowSize: 0x4,
  maxFrameSize: 0x5,
  maxHeaderListSize: 0x6,
  enableConnectProtocol: 0x8,
  noRfc7540Priorities: 0x9,
} as const;

/** Size of an HTTP/2 frame header, in bytes. */
export const frameHeaderSize = 9;
/** Payload size that every peer accepts, in bytes (RFC 9113 §4.2). Sluice never sends or accepts larger payloads. */
export const defaultFrameSize = 16_384;
/** Maximum size of a flow-control window, in bytes (RFC 9113 §6.9.1). */
export const largestWindow = 0x7fffffff;
/** Initial flow-control window of streams and connections, in bytes (RFC 9113 §6.9.2). */
export const defaultWindow = 65_535;

export function readUint32(bytes: Buffer, at: number): number {
  return (
    ((byteAt(bytes, at) << 24) |
      (byteAt(bytes, at + 1) << 16) |
      (byteAt(bytes, at + 2) << 8) |
      byteAt(bytes, at + 3)) >>>
    0
  );
}
