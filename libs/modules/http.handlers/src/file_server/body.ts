/**
 * Sends file contents. If the content is cached, sends it from memory. Otherwise, sends it from the page cache if the connection supports
 * this, or else in large chunks. Waits for slow clients.
 */
import { itemAt } from '@sluice/base';
import {
  ClientGoneError,
  CutError,
  loadFileSender,
  type Exchange,
  type OpenFile,
  type ResponseWriter,
} from '@sluice/http-app';
import { maxKept, type FileStore, type StoredFile } from './file-store.ts';
import type { ByteRange } from './ranges.ts';

/** A part of a response body: a literal string or a byte range of the file. */
export type Segment = string | ByteRange;

/** Number of bytes to read and write at a time. */
const pieceSize = 256 * 1024;
/**
 * Maximum size of content in memory that is written all at once. Larger content is written only as fast as the client reads, because TLS
 * immediately encrypts everything that is written.
 */
const maxAtOnce = 16 * 1024 * 1024;
/** Chunk size for large content that is sent from memory, in bytes. */
const memoryPieceSize = 4 * 1024 * 1024;
/** Number of bytes to write before waiting for a slow client. A write of this size makes the socket signal when it is writable again. */
const waitingPiece = 64 * 1024;
/** Minimum size of a file to send directly from the page cache. Smaller files are cheaper to send from memory. */
const minSendFile = 512 * 1024;
/** Maximum number of buffers kept for reuse. */
const maxIdle = 4;
const idle: Buffer[] = [];
const idleWaiting: Buffer[] = [];

/** An open file whose content is in memory or can be read. */
export interface OpenedFile {
  readonly file: StoredFile;
  readonly opened: OpenFile | null;
  readonly store: FileStore;
}

/** Writes the response headers with `status`, sends all segments and ends the response. */
export function sendBody(
  exchange: Exchange,
  status: number,
  source: OpenedFile,
  segments: readonly Segment[],
): void | Promise<void> {
  const { response } = exchange;
  const { file } = source;
  if (file.content === null) return sendFromFile(exchange, status, source, segments);
  response.writeHead(status);
  if (file.content.length > maxAtOnce) return sendPieces(response, file.content, segments);
  sendFromMemory(response, file.content, segments);
}

/** Writes content from memory as fast as the client reads. */
async function sendPieces(response: ResponseWriter, content: Buffer, segments: readonly Segment[]): Promise<void> {
  for (const segment of segments) {
    if (typeof segment === 'string') {
      response.write(segment);
      continue;
    }
    const end = segment.start + segment.length;
    for (let position = segment.start; position < end; position += memoryPieceSize)
      if (!response.write(content.subarray(position, Math.min(position + memoryPieceSize, end))))
        await response.drained();
  }
  response.end();
}

function sendFromMemory(response: ResponseWriter, content: Buffer, segments: readonly Segment[]): void {
  const last = segments.length - 1;
  for (let i = 0; i < last; i++) response.write(bytesOf(content, itemAt(segments, i)));
  if (last < 0) response.end();
  else response.end(bytesOf(content, itemAt(segments, last)));
}

function bytesOf(content: Buffer, segment: Segment): string | Buffer {
  if (typeof segment === 'string') return segment;
  const { start, length } = segment;
  return length === content.length ? content : content.subarray(start, start + length);
}

async function sendFromFile(
  exchange: Exchange,
  status: number,
  source: OpenedFile,
  segments: readonly Segment[],
): Promise<void> {
  const { response } = exchange;
  const { file, store } = source;
  const opened = source.opened as OpenFile;
  if (file.size > maxKept) {
    response.writeHead(status);
    const direct = response === exchange.writer;
    const rest = direct && file.size >= minSendFile ? await sendCached(response, opened, segments) : segments;
    if (rest === segments && isWhole(segments, file) && store.collects(file))
      await collect(response, file, opened, store);
    else await stream(response, opened, rest, direct);
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

function isWhole(segments: readonly Segment[], file: StoredFile): boolean {
  const [only] = segments;
  return segments.length === 1 && typeof only === 'object' && only.length === file.size;
}

/** Sends a complete file and caches its content in memory. */
async function collect(response: ResponseWriter, file: StoredFile, opened: OpenFile, store: FileStore): Promise<void> {
  const since = Date.now();
  const content = Buffer.allocUnsafeSlow(file.size);
  try {
    for (let position = 0; position < file.size; position += pieceSize) {
      const piece = content.subarray(position, Math.min(position + pieceSize, file.size));
      expectReader(response);
      await fill(opened, piece, position);
      response.write(piece);
      await response.drained();
    }
  } catch (error) {
    store.collected(file, null, since);
    throw error;
  }
  store.collected(file, content, since);
}

/** Throws if the client has disconnected. */
function expectReader(response: ResponseWriter): void {
  if (response.gone) throw new ClientGoneError();
}

/**
 * Fills a buffer from a file, starting at `position`. The response headers have already declared the length. If the file has become
 * shorter, the response is cut off.
 */
async function fill(file: OpenFile, buffer: Buffer, position: number): Promise<void> {
  for (let length = 0; length < buffer.length;) {
    const rest = length === 0 ? buffer : buffer.subarray(length);
    const count = await file.read(rest, rest.length, position + length);
    if (count === 0) throw new CutError('the file was truncated while it was sent');
    length += count;
  }
}

/**
 * Sends as many segments as possible from the page cache, without reading them into memory. Returns the remaining segments. If the client
 * is slow, one chunk is written normally. The completion of this write signals that the socket is writable again.
 */
async function sendCached(
  response: ResponseWriter,
  file: OpenFile,
  segments: readonly Segment[],
): Promise<readonly Segment[]> {
  const { descriptor } = file;
  const send = descriptor === undefined ? null : await loadFileSender();
  if (send === null || descriptor === undefined) return segments;
  for (const [index, segment] of segments.entries()) {
    if (typeof segment === 'string') {
      response.write(segment);
      continue;
    }
    let { start, length } = segment;
    while (length > 0) {
      expectReader(response);
      let count = response.sendFile(send, descriptor, start, start + length);
      if (count < 0) {
        const isFirst = index === 0 && start === segment.start;
        return isFirst ? segments : [{ start, length }, ...segments.slice(index + 1)];
      }
      if (count === 0) count = await writeAndWait(response, file, start, length);
      else await response.drained();
      start += count;
      length -= count;
    }
  }
  return [];
}

/** Writes a chunk and waits until the socket is writable again. Returns the length of the chunk. */
async function writeAndWait(response: ResponseWriter, file: OpenFile, start: number, length: number): Promise<number> {
  const count = Math.min(waitingPiece, length);
  // A full chunk has left its buffer by the time the socket is writable again; see `stream`.
  const isFull = count === waitingPiece;
  const piece = isFull ? (idleWaiting.pop() ?? Buffer.allocUnsafeSlow(count)) : Buffer.allocUnsafe(count);
  await fill(file, piece, start);
  response.write(piece);
  await response.drained();
  if (isFull && !response.holds && idleWaiting.length < maxIdle) idleWaiting.push(piece);
  return count;
}

/**
 * Sends chunks as fast as the client reads. A full chunk exceeds the socket buffer, so its memory can be reused when the next chunk is
 * requested. Filters may keep chunks, and small chunks may stay in a queue, so these use separate memory.
 */
async function stream(
  response: ResponseWriter,
  file: OpenFile,
  segments: readonly Segment[],
  direct: boolean,
): Promise<void> {
  let shared: Buffer | null = null;
  for (const segment of segments) {
    if (typeof segment === 'string') {
      response.write(segment);
      continue;
    }
    const end = segment.start + segment.length;
    let length = 0;
    for (let position = segment.start; position < end; position += length) {
      length = Math.min(pieceSize, response.pieceSize, end - position);
      if (direct && length === pieceSize) shared ??= idle.pop() ?? Buffer.allocUnsafeSlow(pieceSize);
      expectReader(response);
      const piece = shared !== null && length === pieceSize ? shared : Buffer.allocUnsafe(length);
      await fill(file, piece, position);
      response.write(piece);
      await response.drained();
    }
  }
  if (shared !== null && idle.length < maxIdle) idle.push(shared);
}
