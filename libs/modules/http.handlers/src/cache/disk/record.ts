/**
 * Records in segment files. A record consists of a 40-byte header, the key, the encoded response headers, and the body. Two checksums
 * detect incomplete and corrupted records.
 */
import { crc32 } from 'node:zlib';
import type { Stored } from '../store/stored.ts';

/** `SLC1`, little-endian. */
const magic = 0x31434c53;

export const recordHeadBytes = 40;

/** Record type of a stored response. */
export const objectRecord = 1;
/** Record type for removals. A removal record removes all responses with the same key and a lower sequence number. */
export const removalRecord = 2;

/** Byte offsets within the record header. The checksum covers the rest of the header, the key and the metadata. */
const checksumAt = 4;
const sequenceAt = 8;
const keyLengthAt = 16;
const metaLengthAt = 20;
const bodyLengthAt = 24;
const bodyChecksumAt = 28;
const kindAt = 32;
const varyAt = 36;

/** Maximum size of the key and metadata, in bytes. A larger value means that the length field is corrupted. */
const maxHead = 16 * 1024 * 1024;

export interface RecordHead {
  readonly checksum: number;
  readonly sequence: bigint;
  readonly keyLength: number;
  readonly metaLength: number;
  readonly bodyLength: number;
  readonly bodyChecksum: number;
  readonly kind: number;
  /** Hash of the request headers that the response varies by. 0 if the response does not vary. */
  readonly vary: number;
}

/** Contents of a record to write. */
export interface RecordParts {
  readonly kind: number;
  readonly sequence: bigint;
  readonly vary: number;
  readonly key: Buffer;
  readonly meta: Buffer;
  readonly body: readonly Buffer[];
}

export function encodeRecord({ kind, sequence, vary, key, meta, body }: RecordParts): Buffer[] {
  const head = Buffer.alloc(recordHeadBytes);
  let bodyLength = 0;
  let bodyChecksum = 0;
  for (const piece of body) {
    bodyLength += piece.length;
    bodyChecksum = crc32(piece, bodyChecksum);
  }
  head.writeUInt32LE(magic, 0);
  head.writeBigUInt64LE(sequence, sequenceAt);
  head.writeUInt32LE(key.length, keyLengthAt);
  head.writeUInt32LE(meta.length, metaLengthAt);
  head.writeUInt32LE(bodyLength, bodyLengthAt);
  head.writeUInt32LE(bodyChecksum, bodyChecksumAt);
  head.writeUInt32LE(kind, kindAt);
  head.writeInt32LE(vary, varyAt);
  head.writeUInt32LE(checksumOf(head, key, meta), checksumAt);
  return [head, key, meta, ...body];
}

/** Parses a record header. Returns `null` if there is no record at this position. */
export function parseRecordHead(bytes: Buffer, at = 0): RecordHead | null {
  if (bytes.length < at + recordHeadBytes || bytes.readUInt32LE(at) !== magic) return null;
  const head: RecordHead = {
    checksum: bytes.readUInt32LE(at + checksumAt),
    sequence: bytes.readBigUInt64LE(at + sequenceAt),
    keyLength: bytes.readUInt32LE(at + keyLengthAt),
    metaLength: bytes.readUInt32LE(at + metaLengthAt),
    bodyLength: bytes.readUInt32LE(at + bodyLengthAt),
    bodyChecksum: bytes.readUInt32LE(at + bodyChecksumAt),
    kind: bytes.readUInt32LE(at + kindAt),
    vary: bytes.readInt32LE(at + varyAt),
  };
  return head.keyLength + head.metaLength > maxHead ? null : head;
}

/** Returns the total length of a record, in bytes. */
export function recordLength({ keyLength, metaLength, bodyLength }: RecordHead): number {
  return recordHeadBytes + keyLength + metaLength + bodyLength;
}

/** Reports whether the header, key and metadata of the record at `at` match their checksum. */
export function isHeadIntact(bytes: Buffer, at: number, head: RecordHead): boolean {
  const key = at + recordHeadBytes;
  const meta = key + head.keyLength;
  const end = meta + head.metaLength;
  if (bytes.length < end) return false;
  return checksumOf(bytes.subarray(at, key), bytes.subarray(key, meta), bytes.subarray(meta, end)) === head.checksum;
}

export function isBodyIntact(body: Buffer, head: RecordHead): boolean {
  return body.length === head.bodyLength && crc32(body) === head.bodyChecksum;
}

/** Returns a hash of the names and values of the request headers that a response varies by. Returns 0 if the response does not vary. */
export function varyHash({ varyNames, varyValues }: Pick<Stored, 'varyNames' | 'varyValues'>): number {
  if (varyNames.length === 0) return 0;
  return crc32(JSON.stringify([varyNames, varyValues])) | 1;
}

function checksumOf(head: Buffer, key: Buffer, meta: Buffer): number {
  return crc32(meta, crc32(key, crc32(head.subarray(sequenceAt))));
}
