/** A stream around a connection's socket, for handlers that change or copy received data. */
import { Duplex } from 'node:stream';
import { guarded, type Guarded } from '@sluice/base';
import { isDirect } from '@sluice/http-app';

/** Receives data that was read, and passes it to `push` immediately or later. */
export type TakePiece = (piece: Buffer) => void;

/** Starts reading a socket, beginning with data received earlier. The receiver owns the chunks. */
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

/** Writes to a socket. The owner pushes data for reading. */
export class WrappedSocket extends Duplex {
  readonly #inner: Duplex;
  readonly #onRead: () => void;

  /** `onRead` is called when more data should be pushed. */
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

  /** Implements `net.Socket.destroySoon`, for code that closes connections. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }
}

function ignore(): void {}
