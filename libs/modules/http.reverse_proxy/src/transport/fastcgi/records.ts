/** Records of FastCGI (https://fastcgi-archives.github.io/FastCGI_Specification.html §3.3): bytes out, and bytes in. */
import { encodeBytes, byteAt, itemAt } from '@sluice/base';

/** Types of records that we send or read. */
const beginRequest = 1;
export const endRequest = 3;
export const paramsRecord = 4;
export const stdinRecord = 5;
export const stdoutRecord = 6;
export const stderrRecord = 7;

/** Every connection carries one request. */
const requestId = 1;
const version = 1;
const responder = 1;
const headerSize = 8;
const maxContent = 65_528;

/** The record that begins a request; the responder closes the connection after its response. */
export function beginRecord(): Buffer {
  return record(beginRequest, Buffer.from([0, responder, 0, 0, 0, 0, 0, 0]));
}

/** A stream of a type: as many records as it takes, without the empty one that ends it. */
export function streamRecords(type: number, content: Buffer): Buffer {
  const records: Buffer[] = [];
  for (let at = 0; at < content.length; at += maxContent)
    records.push(record(type, content.subarray(at, at + maxContent)));
  return records.length === 1 ? itemAt(records, 0) : Buffer.concat(records);
}

/** The empty record that ends a stream. */
export function endOfStream(type: number): Buffer {
  return record(type, Buffer.alloc(0));
}

function record(type: number, content: Buffer): Buffer {
  const padding = -content.length & 7;
  const bytes = Buffer.alloc(headerSize + content.length + padding);
  bytes[0] = version;
  bytes[1] = type;
  bytes.writeUInt16BE(requestId, 2);
  bytes.writeUInt16BE(content.length, 4);
  bytes[6] = padding;
  content.copy(bytes, headerSize);
  return bytes;
}

/** Names and values as the content of a params stream. */
export function encodeParams(params: ReadonlyMap<string, string>): Buffer {
  const parts: Buffer[] = [];
  for (const [name, value] of params) {
    const nameBytes = encodeBytes(name);
    const valueBytes = encodeBytes(value);
    parts.push(lengthOf(nameBytes), lengthOf(valueBytes), nameBytes, valueBytes);
  }
  return Buffer.concat(parts);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length + 0x8000_0000);
  return bytes;
}

/** Takes the content of records. False stops the reading until {@link RecordReader.push} is called again. */
export type RecordSink = (type: number, content: Buffer) => boolean;

/** Finds records in bytes as they come, and hands on their content in pieces as they come. */
export class RecordReader {
  readonly #sink: RecordSink;
  readonly #header: Buffer = Buffer.alloc(headerSize);
  #headerLength = 0;
  #contentLeft = 0;
  #paddingLeft = 0;

  constructor(sink: RecordSink) {
    this.#sink = sink;
  }

  /** Reads on. Returns how many bytes were used: less than all if the sink stopped, -1 if these are not records. */
  push(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length) {
      if (this.#headerLength < headerSize) {
        this.#header[this.#headerLength++] = byteAt(bytes, at++);
        if (this.#headerLength < headerSize) continue;
        if (this.#header[0] !== version) return -1;
        this.#contentLeft = this.#header.readUInt16BE(4);
        this.#paddingLeft = byteAt(this.#header, 6);
        // An empty record ends a stream, which no one needs to know, or a request.
        if (this.#contentLeft === 0) this.#finishIfEmpty();
        continue;
      }
      if (this.#contentLeft > 0) {
        const size = Math.min(this.#contentLeft, bytes.length - at);
        const content = bytes.subarray(at, at + size);
        this.#contentLeft -= size;
        at += size;
        const type = byteAt(this.#header, 1);
        this.#finishIfEmpty();
        if (!this.#sink(type, content)) return at;
        continue;
      }
      const size = Math.min(this.#paddingLeft, bytes.length - at);
      this.#paddingLeft -= size;
      at += size;
      this.#finishIfEmpty();
    }
    return at;
  }

  #finishIfEmpty(): void {
    if (this.#contentLeft === 0 && this.#paddingLeft === 0) this.#headerLength = 0;
  }
}
