/** Writes request bodies to files. */
import { constants } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { fileName } from '@sluice/base';
import type { BodySink, RequestBody } from '@sluice/http-app';
import { entityTag } from '../file_server/file-store.ts';

/** Bytes to collect before they are written. */
const pieceSize = 256 * 1024;
const newFileMode = 0o666;

/** A complete upload under a temporary name. */
export interface Upload {
  readonly path: string;
  readonly etag: string;
}

/** Writes a body to a new file. `mode`: permissions of the file that it will replace; 0 for the default. Removes the file on failure. */
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

/** Collects chunks while the previous ones are written. */
class FileSink implements BodySink {
  readonly borrows = true;
  readonly #body: RequestBody;
  readonly #file: FileHandle;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  #writing = false;
  #paused = false;
  #ended = false;
  #failed: Error | null = null;

  constructor(body: RequestBody, file: FileHandle, resolve: () => void, reject: (error: unknown) => void) {
    this.#body = body;
    this.#file = file;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onData(chunk: Buffer): boolean {
    if (this.#failed !== null) return true;
    this.#chunks.push(Buffer.from(chunk));
    this.#size += chunk.length;
    if (this.#size >= pieceSize) this.#write();
    this.#paused = this.#size >= pieceSize;
    return !this.#paused;
  }

  onEnd(): void {
    this.#ended = true;
    this.#write();
  }

  /** The file is not closed while a write is in progress. */
  onError(error: Error): void {
    this.#failed ??= error;
    if (!this.#writing) this.#reject(this.#failed);
  }

  #write(): void {
    if (this.#writing || this.#failed !== null) return;
    if (this.#size === 0) {
      if (this.#ended) this.#resolve();
      return;
    }
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#size = 0;
    this.#writing = true;
    writeAll(this.#file, chunks).then(
      () => this.#written(null),
      (error: Error) => this.#written(error),
    );
  }

  #written(error: Error | null): void {
    this.#writing = false;
    this.#failed ??= error;
    if (this.#failed !== null) this.#reject(this.#failed);
    else if (this.#ended || this.#size >= pieceSize) this.#write();
    if (!this.#paused || this.#ended) return;
    this.#paused = false;
    this.#body.resume();
  }
}

async function writeAll(file: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  const { bytesWritten } = await file.writev(chunks);
  let rest = 0;
  for (const chunk of chunks) rest += chunk.length;
  rest -= bytesWritten;
  // The disk is full, or a signal interrupted the write: the next attempt shows which.
  if (rest > 0) await file.appendFile(Buffer.concat(chunks).subarray(bytesWritten));
}
