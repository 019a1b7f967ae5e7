/** Encoding and parsing of FastCGI records (https://fastcgi-archives.github.io/FastCGI_Specification.html §3.3). */
import { encodeBytes, byteAt, itemAt } from '@sluice/base';

/** Record types that the transport sends or reads. */
const beginRequest = 1;
export const endRequest = 3;
export const paramsRecord = 4;
export const stdinRecord = 5;
export const stdoutRecord = 6;
export const stderrRecord = 7;

/** Request ID. Each connection carries only one request. */
const requestId = 1;
const version = 1;
const responder = 1;
const headerSize = 8;
const maxContent = 65_528;

/** Returns the FastCGI record that begins a request. It makes the responder close the connection after the response. */
export function beginRecord(): Buffer {
  return record(beginRequest, Buffer.from([0, responder, 0, 0, 0, 0, 0, 0]));
}

/** Returns the FastCGI records of a stream, without the empty record that terminates the stream. */
export function streamRecords(type: number, content: Buffer): Buffer {
  const records: Buffer[] = [];
  for (let at = 0; at < content.length; at += maxContent)
    records.push(record(type, content.subarray(at, at + maxContent)));
  return records.length === 1 ? itemAt(records, 0) : Buffer.concat(records);
}

/** Returns the empty FastCGI record that terminates a stream. */
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

/** Encodes parameter names and values for the FastCGI params stream. */
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

/** Callback that receives record content. If it returns false, parsing stops until {@link RecordReader.push} is called again. */
export type RecordSink = (type: number, content: Buffer) => boolean;

/** Incremental parser of FastCGI records. Passes record content to a sink in chunks. */
export class RecordReader {
  readonly #sink: RecordSink;
  readonly #header: Buffer = Buffer.alloc(headerSize);
  #headerLength = 0;
  #contentLeft = 0;
  #paddingLeft = 0;

  constructor(sink: RecordSink) {
    this.#sink = sink;
  }

  /**
   * Continues parsing. Returns the number of consumed bytes, which is lower than the length if the sink stopped. Returns -1 for invalid
   * data.
   */
  push(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length) {
      if (this.#headerLength < headerSize) {
        this.#header[this.#headerLength++] = byteAt(bytes, at++);
        if (this.#headerLength < headerSize) continue;
        if (this.#header[0] !== version) return -1;
        this.#contentLeft = this.#header.readUInt16BE(4);
        this.#paddingLeft = byteAt(this.#header, 6);
        // An empty record ends a stream or the request. The end of a stream can be ignored.
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
