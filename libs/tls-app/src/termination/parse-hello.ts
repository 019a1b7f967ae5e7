/** Parses the ClientHello (RFC 8446 §4.1.2, RFC 5246 §7.4.1.2). Reads only the fields that decisions depend on. OpenSSL validates the rest. */
import { itemAt } from '@sluice/base';

export interface HelloFacts {
  readonly serverName: string;
  readonly protocols: readonly string[];
  readonly versions: readonly number[];
  readonly cipherSuites: readonly number[];
  readonly signatureSchemes: readonly number[];
}

/** Result of parsing. `incomplete` means that more bytes are needed. `foreign` means that the input is not a ClientHello. */
export type ParsedHello = HelloFacts | 'incomplete' | 'foreign';

const recordHeader = 5;
const handshakeRecord = 22;
const clientHello = 1;
/** Maximum size of a TLS record (RFC 8446 §5.1) and of the ClientHello message. Real messages are much smaller. */
const maxRecordSize = 16_384;
const maxMessageSize = 65_536;

const serverNameExtension = 0;
const signatureAlgorithmsExtension = 13;
const protocolsExtension = 16;
const versionsExtension = 43;

/** Parses `bytes[0..end)`. The input is TLS records that contain the message in one or more fragments. */
export function parseHello(bytes: Buffer, end: number): ParsedHello {
  const message = messageIn(bytes, end);
  if (typeof message === 'string') return message;
  try {
    return readMessage(new Reader(message));
  } catch {
    return 'foreign';
  }
}

/** Parses a ClientHello message without TLS records, as used in QUIC (RFC 9001 §4.1.3). */
export function parseHelloMessage(bytes: Buffer): ParsedHello {
  const wanted = wantedSize([bytes], bytes.length);
  if (wanted === -1) return 'foreign';
  if (bytes.length < wanted) return 'incomplete';
  try {
    return readMessage(new Reader(bytes));
  } catch {
    return 'foreign';
  }
}

/** Reassembles the handshake message from TLS records. */
function messageIn(bytes: Buffer, end: number): Buffer | 'incomplete' | 'foreign' {
  const pieces: Buffer[] = [];
  let size = 0;
  for (let at = 0; ;) {
    if (end > at && bytes[at] !== handshakeRecord) return 'foreign';
    if (end > at + 1 && bytes[at + 1] !== 3) return 'foreign';
    if (end < at + recordHeader) return 'incomplete';
    const length = bytes.readUInt16BE(at + 3);
    if (length === 0 || length > maxRecordSize) return 'foreign';
    const body = at + recordHeader;
    pieces.push(bytes.subarray(body, Math.min(end, body + length)));
    size += Math.min(end - body, length);
    const wanted = wantedSize(pieces, size);
    if (wanted === -1) return 'foreign';
    if (size >= wanted) return pieces.length === 1 ? itemAt(pieces, 0) : Buffer.concat(pieces);
    if (end < body + length) return 'incomplete';
    at = body + length;
  }
}

/** Returns the size of the message including its header, or -1 if the message is not a ClientHello. */
function wantedSize(pieces: readonly Buffer[], size: number): number {
  if (size > 0 && (pieces.find((piece) => piece.length > 0) as Buffer)[0] !== clientHello) return -1;
  if (size < 4) return 4;
  const head = pieces.length === 1 ? itemAt(pieces, 0) : Buffer.concat(pieces);
  const length = 4 + head.readUIntBE(1, 3);
  return length > maxMessageSize ? -1 : length;
}

function readMessage(reader: Reader): HelloFacts {
  reader.skip(4);
  const version = reader.number(2);
  reader.skip(32);
  reader.skip(reader.number(1));
  const cipherSuites = reader.numbers(reader.number(2));
  reader.skip(reader.number(1));
  const facts = {
    serverName: '',
    protocols: [] as string[],
    versions: [version],
    cipherSuites,
    signatureSchemes: [] as number[],
  };
  if (reader.left < 2) return facts;
  const end = reader.at + 2 + reader.number(2);
  while (reader.at < end) {
    const type = reader.number(2);
    const size = reader.number(2);
    const next = reader.at + size;
    if (type === serverNameExtension) facts.serverName = readServerName(reader, next);
    else if (type === protocolsExtension) facts.protocols = readProtocols(reader);
    else if (type === signatureAlgorithmsExtension) facts.signatureSchemes = reader.numbers(reader.number(2));
    else if (type === versionsExtension) facts.versions = reader.numbers(reader.number(1));
    reader.at = next;
  }
  return facts;
}

/** Returns the first host name in the server name list (RFC 6066 §3), in lowercase and without a trailing dot. */
function readServerName(reader: Reader, end: number): string {
  reader.skip(2);
  while (reader.at < end) {
    const type = reader.number(1);
    const name = reader.text(reader.number(2));
    if (type === 0) return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
  }
  return '';
}

function readProtocols(reader: Reader): string[] {
  const protocols: string[] = [];
  const length = reader.number(2);
  for (const end = reader.at + length; reader.at < end;) protocols.push(reader.text(reader.number(1)));
  return protocols;
}

/** Reads big-endian integers and strings. Throws at the end of the input. */
class Reader {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.at;
  }

  number(size: number): number {
    const value = this.#bytes.readUIntBE(this.at, size);
    this.at += size;
    return value;
  }

  /** Reads `size` bytes as 16-bit integers. */
  numbers(size: number): number[] {
    const values: number[] = [];
    for (const end = this.at + size; this.at < end;) values.push(this.number(2));
    return values;
  }

  text(size: number): string {
    if (size > this.left) throw new RangeError('the ClientHello message is too short');
    const text = this.#bytes.toString('latin1', this.at, this.at + size);
    this.at += size;
    return text;
  }

  skip(size: number): void {
    this.at += size;
  }
}
