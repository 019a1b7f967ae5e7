/** Frames of HTTP/2 (RFC 9113 §4.1): nine bytes of header, and a payload. */

/** Types of frames (RFC 9113 §6, RFC 9218 §7.1). */
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

/** Flags of frames. What a bit means depends on the type: an acknowledgement has the bit of the end of a stream. */
export const frameFlag = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

/** Identifiers of settings (RFC 9113 §6.5.2, RFC 8441 §3, RFC 9218 §2.1). */
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

/** Bytes of the header of a frame. */
export const frameHeaderSize = 9;
/** Payload that every peer takes (RFC 9113 §4.2), in bytes; we take and send no more. */
export const defaultFrameSize = 16_384;
/** Windows cannot be larger (RFC 9113 §6.9.1). */
export const largestWindow = 0x7fffffff;
/** Window of streams and connections before any setting says otherwise (RFC 9113 §6.9.2). */
export const defaultWindow = 65_535;

/** Reads a number of 32 bits. */
export function readUint32(bytes: Buffer, at: number): number {
  return (
    (((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)) >>>
    0
  );
}
