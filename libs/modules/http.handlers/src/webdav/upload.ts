/** Writes the bodies of PUT requests to files. */
import { constants } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { fileName } from '@sluice/base';
import type { BodySink, RequestBody } from '@sluice/http-app';
import { entityTag } from '../file_server/file-store.ts';

/** Number of bytes to buffer before writing to the file. */
const pieceSize = 256 * 1024;
const newFileMode = 0o666;

export interface Upload {
  readonly path: string;
  readonly etag: string;
}

/**
 * Writes a request body to a new file. `mode` is the permissions of the replaced file, or 0 for the default. Removes the new file on
 * failure.
 */
export async function writeBody(body: RequestBody, path: string, mode: number): Promise<Upload> {
  const file = await open(fileName(path), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, newFileMode);
  try {
    try {
      await receive(body, file);
      if (mode !== 0) await file.chmod(mode & 0o777);
      const { mtimeNs, size } = await file.stat({ bigint: true });
      return { path, etag: entityTag(mtimeNs, Number(size)) };
    } finally {
      await file.close();
    }
  } catch (error) {
    await unlink(fileName(path)).catch(() => undefined);
    throw error;
  }
}

function receive(body: RequestBody, file: FileHandle): Promise<void> {
  return new Promise((resolve, reject) => {
    body.consume(new FileSink(body, file, resolve, reject));
  });
}

/** Sink that fills one buffer while the other is being written. */
class FileSink implements BodySink {
  readonly borrows = true;
  readonly #body: RequestBody;
  readonly #file: FileHandle;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  #filling: Buffer;
  #length = 0;
  /** The buffer that is neither being filled nor being written, or `null` if both are in use. */
  #spare: Buffer | null = null;
  /** Body chunks received while both buffers were in use. */
  #rest: Buffer[] = [];
  #writing = false;
  #ended = false;
  #failed: Error | null = null;

  constructor(body: RequestBody, file: FileHandle, resolve: () => void, reject: (error: unknown) => void) {
    this.#body = body;
    this.#file = file;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#filling = Buffer.allocUnsafeSlow(body.length > 0 ? Math.min(body.length, pieceSize) : pieceSize);
  }

  onData(chunk: Buffer): boolean {
    if (this.#failed !== null) return true;
    const taken = this.#rest.length > 0 ? 0 : this.#take(chunk);
    if (taken < chunk.length) this.#rest.push(Buffer.from(chunk.subarray(taken)));
    return this.#rest.length === 0;
  }

  onEnd(): void {
    this.#ended = true;
    this.#continue();
  }

  /** Don't close the file while a write is in progress. */
  onError(error: Error): void {
    this.#failed ??= error;
    if (!this.#writing) this.#reject(this.#failed);
  }

  /** Copies as much of a chunk as fits into the buffers, and starts writes. Returns the number of bytes copied. */
  #take(chunk: Buffer): number {
    let taken = 0;
    while (taken < chunk.length) {
      if (this.#length === this.#filling.length) {
        if (this.#writing) break;
        this.#write();
      }
      const count = chunk.copy(this.#filling, this.#length, taken);
      this.#length += count;
      taken += count;
    }
    return taken;
  }

  #write(): void {
    const piece = this.#filling;
    const length = this.#length;
    this.#filling = this.#spare ?? Buffer.allocUnsafeSlow(this.#ended ? 0 : pieceSize);
    this.#spare = null;
    this.#length = 0;
    this.#writing = true;
    writeAll(this.#file, piece, length).then(
      () => this.#written(piece),
      (error: Error) => {
        this.#writing = false;
        this.#failed ??= error;
        this.#reject(this.#failed);
        if (this.#rest.length > 0) this.#body.resume();
      },
    );
  }

  #written(piece: Buffer): void {
    this.#writing = false;
    this.#spare = piece;
    if (this.#failed !== null) {
      this.#reject(this.#failed);
      return;
    }
    const rest = this.#rest;
    this.#rest = [];
    for (const chunk of rest) this.onData(chunk);
    this.#continue();
    if (rest.length > 0 && this.#rest.length === 0 && !this.#ended) this.#body.resume();
  }

  /** Writes the remaining data and completes the upload. */
  #continue(): void {
    if (!this.#ended || this.#writing || this.#failed !== null) return;
    if (this.#length > 0) this.#write();
    else this.#resolve();
  }
}

async function writeAll(file: FileHandle, piece: Buffer, length: number): Promise<void> {
  for (let at = 0; at < length;) at += (await file.write(piece, at, length - at)).bytesWritten;
}
