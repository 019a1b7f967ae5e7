/** Parses HTTP/1.1 messages leniently (RFC 9112). Tests use the result to compare what the upstream and the client received. */

export type Field = readonly [name: string, value: string];

/** A parsed message. */
export interface Message {
  /** Start line of the message: the request line or status line. */
  readonly start: string;
  readonly fields: readonly Field[];
  /** Body framing of the message, such as `none`, `length 5`, `chunked` or `close`. */
  readonly framing: string;
  /** Decoded body. If the message is incomplete, the part received so far. */
  readonly body: Buffer;
  readonly trailers: readonly Field[];
  readonly complete: boolean;
  /** Offset of the first byte after the message. */
  readonly end: number;
}

/** Kind of message. It determines where the message ends. Responses to HEAD and responses with some statuses have no body. */
export type Kind = 'request' | 'response' | 'bodiless';

/** Parses the message at an offset. Returns `null` if its head is incomplete. `ended` is true if no more bytes will follow. */
export function readMessage(bytes: Buffer, from: number, kind: Kind, ended: boolean): Message | null {
  const headEnd = bytes.indexOf('\r\n\r\n', from, 'latin1');
  if (headEnd < 0) return null;
  const [start = '', ...lines] = bytes.toString('latin1', from, headEnd).split('\r\n');
  const fields = lines.map(fieldOf);
  const head = { start, fields };
  const at = headEnd + 4;
  const valueOf = (name: string): string | undefined => fields.find(([each]) => each.toLowerCase() === name)?.[1];
  if (kind === 'bodiless') return { ...head, framing: 'none', body: noBytes, trailers: [], complete: true, end: at };
  if (valueOf('transfer-encoding') !== undefined) return { ...head, framing: 'chunked', ...readChunks(bytes, at) };
  const length = valueOf('content-length');
  if (length !== undefined) {
    const end = Math.min(bytes.length, at + Number(length));
    const body = bytes.subarray(at, end);
    return { ...head, framing: `length ${length}`, body, trailers: [], complete: body.length === Number(length), end };
  }
  if (kind === 'request') return { ...head, framing: 'none', body: noBytes, trailers: [], complete: true, end: at };
  return { ...head, framing: 'close', body: bytes.subarray(at), trailers: [], complete: ended, end: bytes.length };
}

const noBytes = Buffer.alloc(0);

function fieldOf(line: string): Field {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

type Rest = Pick<Message, 'body' | 'trailers' | 'complete' | 'end'>;

function readChunks(bytes: Buffer, from: number): Rest {
  const pieces: Buffer[] = [];
  let at = from;
  const cut = (): Rest => ({ body: Buffer.concat(pieces), trailers: [], complete: false, end: bytes.length });
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at, 'latin1');
    if (lineEnd < 0) return cut();
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    at = lineEnd + 2;
    if (size === 0) break;
    pieces.push(bytes.subarray(at, at + size));
    at += size + 2;
    if (at > bytes.length) return cut();
  }
  const trailers: Field[] = [];
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at, 'latin1');
    if (lineEnd < 0) return cut();
    const line = bytes.toString('latin1', at, lineEnd);
    at = lineEnd + 2;
    if (line === '') return { body: Buffer.concat(pieces), trailers, complete: true, end: at };
    trailers.push(fieldOf(line));
  }
}
