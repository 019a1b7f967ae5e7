/** Encodes and decodes WebSocket frames and the HTTP/2 frames of a client. */

/** An unmasked WebSocket text frame from a server with the text `hi`. */
export const textFrame = Buffer.from([0x81, 2, 0x68, 0x69]);

/** Returns a Close frame with status 1000 (RFC 6455 §5.5.1). Client frames use a masking key of zeros. */
export function closeFrame(masked: boolean): Buffer {
  return masked ? Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]) : Buffer.from([0x88, 2, 0x03, 0xe8]);
}

/** Reports whether the bytes contain the start of a Close frame. Other frames in these tests do not contain this byte. */
export function hasClose(bytes: Buffer): boolean {
  return bytes.includes(0x88);
}

export const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7 };
/** HTTP/2 frame flag. END_STREAM and ACK use the same bit. */
export const endStream = 1;
export const acknowledges = 1;
const endHeaders = 4;

/** Error code CANCEL, which resets a stream that is no longer needed. */
export const cancelCode = 8;

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** Returns the first bytes that an HTTP/2 client sends. */
export function opening(): Buffer {
  return Buffer.concat([Buffer.from(preface), frame(frameTypes.settings, 0, 0)]);
}

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Returns a RST_STREAM frame with the given error code. */
export function resetFrame(stream: number, code: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(code);
  return frame(frameTypes.reset, 0, stream, payload);
}

/** Returns a HEADERS frame that contains literal fields without indexing (RFC 7541 §6.2.2). Names and values must be shorter than 127 bytes. */
export function headersFrame(stream: number, fields: readonly (readonly [string, string])[], ends: boolean): Buffer {
  const literals = fields.flatMap(([name, value]) => [
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
  return frame(frameTypes.headers, endHeaders | (ends ? endStream : 0), stream, Buffer.concat(literals));
}

/** A received HTTP/2 frame. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Splits received bytes into frames. `rest` contains the beginning of an incomplete frame. */
export function framesOf(bytes: Buffer): { readonly frames: readonly Frame[]; readonly rest: Buffer } {
  const frames: Frame[] = [];
  let at = 0;
  while (bytes.length - at >= 9) {
    const end = at + 9 + bytes.readUIntBE(at, 3);
    if (end > bytes.length) break;
    const [type, flags, stream] = [bytes.readUInt8(at + 3), bytes.readUInt8(at + 4), bytes.readUInt32BE(at + 5)];
    frames.push({ type, flags, stream: stream & 0x7fffffff, payload: bytes.subarray(at + 9, end) });
    at = end;
  }
  return { frames, rest: bytes.subarray(at) };
}
