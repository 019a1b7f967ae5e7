/** Sends the content of files: from memory if it is there, else in large pieces that wait for slow clients. */
import { AbortError, type OpenFile, type ResponseWriter } from '@sluice/http-app';
import { maxKept, type FileStore, type StoredFile } from './file-store.ts';
import type { ByteRange } from './ranges.ts';

/** A piece of a body: text as it is, or bytes of the file. */
export type Segment = string | ByteRange;

/** Bytes that are read and written at a time. */
const pieceSize = 256 * 1024;
/** Buffers that are kept for the next body, at most. */
const maxIdle = 4;
const idle: Buffer[] = [];

/** A file whose content can be had: from memory, or else because it is open. */
export interface OpenedFile {
  readonly file: StoredFile;
  readonly opened: OpenFile | null;
  readonly store: FileStore;
}

/** Writes a head with `status`, sends segments behind it, and ends the response. */
export function sendBody(
  response: ResponseWriter,
  status: number,
  { file, opened, store }: OpenedFile,
  segments: readonly Segment[],
): void | Promise<void> {
  if (file.content === null) return sendFromFile(response, status, file, opened as OpenFile, store, segments);
  response.writeHead(status);
  sendFromMemory(response, file.content, segments);
}

function sendFromMemory(response: ResponseWriter, content: Buffer, segments: readonly Segment[]): void {
  const last = segments.length - 1;
  for (let i = 0; i < last; i++) response.write(bytesOf(content, segments[i] as Segment));
  if (last < 0) response.end();
  else response.end(bytesOf(content, segments[last] as Segment));
}

function bytesOf(content: Buffer, segment: Segment): string | Buffer {
  if (typeof segment === 'string') return segment;
  const { start, length } = segment;
  return length === content.length ? content : content.subarray(start, start + length);
}

async function sendFromFile(
  response: ResponseWriter,
  status: number,
  file: StoredFile,
  opened: OpenFile,
  store: FileStore,
  segments: readonly Segment[],
): Promise<void> {
  if (file.size > maxKept) {
    response.writeHead(status);
    await stream(response, opened, segments);
    response.end();
    return;
  }
  const since = Date.now();
  const content = Buffer.allocUnsafeSlow(file.size);
  await fill(opened, content, 0);
  store.keep(file, content, since);
  response.writeHead(status);
  sendFromMemory(response, content, segments);
}

/** Fills a buffer from a position on. The head was promised this much: if the file is shorter now, the answer is cut. */
async function fill(file: OpenFile, buffer: Buffer, position: number): Promise<void> {
  for (let length = 0; length < buffer.length;) {
    const rest = length === 0 ? buffer : buffer.subarray(length);
    const count = await file.read(rest, rest.length, position + length);
    if (count === 0) throw new AbortError('the file became shorter while it was sent');
    length += count;
  }
}

async function stream(response: ResponseWriter, file: OpenFile, segments: readonly Segment[]): Promise<void> {
  const buffer = idle.pop() ?? Buffer.allocUnsafeSlow(pieceSize);
  for (const segment of segments) {
    if (typeof segment === 'string') {
      response.write(segment);
      continue;
    }
    const end = segment.start + segment.length;
    for (let position = segment.start; position < end; position += pieceSize) {
      const piece = end - position < pieceSize ? buffer.subarray(0, end - position) : buffer;
      await fill(file, piece, position);
      response.write(piece);
      // The buffer is used again, so what was written must have left it.
      await response.drained();
    }
  }
  if (idle.length < maxIdle) idle.push(buffer);
}
