/** Parses the first request of an HTTP/2 connection with prior knowledge (RFC 9113 §3.3). */
import { readFieldBlock } from '@sluice/http2';
import { parseOriginForm, type RequestHead } from '@sluice/http1';

/** HTTP/2 client connection preface (RFC 9113 §3.4). */
export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

const frameHeader = 9;
const headersFrame = 1;
const continuationFrame = 9;
const endHeaders = 0x4;
const padded = 0x8;
const priority = 0x20;

/** Parses the head of the first HTTP/2 request. Returns `null` if it is incomplete, and false if the frames are invalid. */
export function readHttp2Head(bytes: Buffer, end: number): RequestHead | null | false {
  const pieces: Buffer[] = [];
  for (let at = preface.length; ;) {
    if (end < at + frameHeader) return null;
    const length = bytes.readUIntBE(at, 3);
    const type = bytes[at + 3] as number;
    const flags = bytes[at + 4] as number;
    const body = at + frameHeader;
    const next = body + length;
    if (end < next) return null;
    if (type === headersFrame || type === continuationFrame) {
      const piece = type === headersFrame ? fragmentOf(bytes.subarray(body, next), flags) : bytes.subarray(body, next);
      if (piece === null) return false;
      pieces.push(piece);
      if ((flags & endHeaders) !== 0) return headOf(Buffer.concat(pieces));
    }
    at = next;
  }
}

/** Returns the field block of a HEADERS frame, without padding and priority. Returns `null` if the frame is invalid. */
function fragmentOf(frame: Buffer, flags: number): Buffer | null {
  let from = 0;
  let to = frame.length;
  if ((flags & padded) !== 0) {
    to -= frame[0] ?? 0;
    from = 1;
  }
  if ((flags & priority) !== 0) from += 5;
  return from > to ? null : frame.subarray(from, to);
}

function headOf(block: Buffer): RequestHead | false {
  const fields = readFieldBlock(block);
  const target = fields === null ? null : parseOriginForm(fields.path);
  if (fields === null || target === null) return false;
  return {
    method: fields.method,
    rawPath: target.rawPath,
    query: target.query,
    target: fields.path,
    proto: 'HTTP/2.0',
    host: fields.authority ?? fields.host,
    headers: fields.headers,
  };
}
