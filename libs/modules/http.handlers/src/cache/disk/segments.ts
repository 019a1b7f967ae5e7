/** Names of segment files, and sequential reading of their records. */
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isHeadIntact, parseRecordHead, recordHeadBytes, recordLength, type RecordHead } from './record.ts';

const pattern = /^segment-(\d{10})\.cache$/;
const readBytes = 256 * 1024;

export function segmentPath(directory: string, segment: number): string {
  return join(directory, `segment-${String(segment).padStart(10, '0')}.cache`);
}

export function segmentsIn(directory: string): number[] {
  const found: number[] = [];
  for (const name of readdirSync(directory)) {
    const match = pattern.exec(name);
    if (match !== null) found.push(Number(match[1]));
  }
  return found.sort((a, b) => a - b);
}

/** Returns the total size of all segments in bytes. */
export function sizeOfSegments(directory: string): number {
  let size = 0;
  for (const segment of segmentsIn(directory))
    size += statSync(segmentPath(directory, segment), { throwIfNoEntry: false })?.size ?? 0;
  return size;
}

export interface FoundRecord {
  readonly head: RecordHead;
  readonly offset: number;
  readonly key: string;
  /** Encoded response headers. Valid until the next record is read. */
  readonly meta: Buffer;
}

/** Yields the records in a segment, up to the first incomplete record. Bodies are not read. Their checksums are verified when they are used. */
export function* recordsOf(path: string): Generator<FoundRecord> {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    let buffer = Buffer.alloc(readBytes);
    let start = 0;
    let end = 0;
    /** Loads bytes from `offset` and returns their position in the buffer. Returns -1 if they are beyond the end of the file. */
    const load = (offset: number, length: number): number => {
      if (offset + length > size) return -1;
      if (offset >= start && offset + length <= end) return offset - start;
      if (length > buffer.length) buffer = Buffer.alloc(length);
      start = offset;
      end = offset + readSync(file, buffer, 0, Math.min(buffer.length, size - offset), offset);
      return offset + length <= end ? 0 : -1;
    };
    for (let offset = 0; offset < size;) {
      const at = load(offset, recordHeadBytes);
      const head = at < 0 ? null : parseRecordHead(buffer.subarray(0, end - start), at);
      if (head === null || offset + recordLength(head) > size) return;
      const { keyLength, metaLength } = head;
      const from = load(offset, recordHeadBytes + keyLength + metaLength);
      if (from < 0 || !isHeadIntact(buffer.subarray(0, end - start), from, head)) return;
      const key = from + recordHeadBytes;
      yield {
        head,
        offset,
        key: buffer.toString('utf8', key, key + keyLength),
        meta: buffer.subarray(key + keyLength, key + keyLength + metaLength),
      };
      offset += recordLength(head);
    }
  } finally {
    closeSync(file);
  }
}
