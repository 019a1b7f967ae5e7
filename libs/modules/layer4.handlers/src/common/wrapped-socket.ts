/** Stream that wraps a connection's socket, for handlers that modify or copy received data. */
import { Duplex } from 'node:stream';
import { guarded, type Guarded } from '@sluice/base';
import { isDirect } from '@sluice/http-app';

/** Callback that receives a chunk, and passes it to `push` immediately or later. */
export type TakePiece = (piece: Buffer) => void;

/** Starts reading from a socket, beginning with data received earlier. The callback `take` owns the chunks. */
export function readFrom(from: Duplex, owner: Guarded, take: TakePiece, onEnd: () => void): void {
  if (from.readableEnded) {
    onEnd();
    return;
  }
  from.once('end', guarded(owner, onEnd));
  while (from.readableLength > 0) {
    const early = from.read() as Buffer | null;
    if (early === null) break;
    take(early);
  }
  if (isDirect(from)) from.directReader = (bytes, end) => take(Buffer.from(bytes.subarray(0, end)));
  else from.on('data', guarded(owner, take));
  from.resume();
}

/** Stream that passes writes to a socket. The owner of the stream pushes the data to be read. */
export class WrappedSocket extends Duplex {
  readonly #inner: Duplex;
  readonly #onRead: () => void;

  /** `onRead` is called when the owner should push more data. */
  constructor(inner: Duplex, onRead: () => void) {
    super({ allowHalfOpen: true });
    this.#inner = inner;
    this.#onRead = onRead;
    inner.on('error', ignore);
    inner.once('close', () => this.destroy());
  }

  override _read(): void {
    this.#onRead();
  }

  override _write(piece: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (this.#inner.destroyed) done();
    else this.#inner.write(piece, () => done());
  }

  override _final(done: () => void): void {
    if (this.#inner.writable) this.#inner.end(() => done());
    else done();
  }

  override _destroy(_error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.#inner.destroyed) this.#inner.destroy();
    done();
  }

  /** Implements `net.Socket.destroySoon`, because code that closes connections calls it. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }
}

function ignore(): void {}
